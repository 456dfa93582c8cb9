(* The statements of the theorems for all boards, as they are relied on: a theorem or a definition that is changed makes
   one of these fail. And examples of threefold repetition. *)

Require Import List NArith.
From Proof Require Import Checker Theorems Threefold Neutreeko Game.
Import ListNotations.

(* ---- theorems ---- *)

Example right_values : forall b rows, bits_are_distinct b = true -> first_wrong_position b rows = None ->
  forall p, legal b p -> has_value (neutreeko b) p (value_in b rows p).
Proof. exact values_are_right. Qed.

Example right_values_with_threefold : forall b rows, bits_are_distinct b = true -> first_wrong_position b rows = None ->
  forall (history : list (bool * placement)) (player : bool) (p : placement),
  (forall q, count_occ same_position history q <= 1) -> legal b p ->
  has_value (threefold (with_players (neutreeko b)) same_position) (history, (player, p)) (value_in b rows p).
Proof. exact values_are_right_with_threefold. Qed.

Example numbers_are_exact : forall P n,
  number_of P n <-> exists l, NoDup l /\ (forall p : placement, In p l <-> P p) /\ N.of_nat (length l) = n.
Proof. reflexivity. Qed.

Example values_are_unique : forall (b : board) p v w,
  has_value (neutreeko b) p v -> has_value (neutreeko b) p w -> v = w.
Proof. intros b. apply value_unique. Qed.

(* ---- threefold repetition ---- *)

Definition game_after (history : list (bool * placement)) :=
  moves (neutreeko_with_threefold standard) (history, (true, start)).

(* The third occurrence ends the game; the same squares with the other player to move are another position. *)
Example occurrences_of_start :
  map (fun history => length (game_after history))
    [[(true, start)]; [(true, start); (true, start)]; [(false, start); (false, start)]] = [14; 0; 14].
Proof. vm_compute. reflexivity. Qed.

(* The players take turns, and the position that was left is remembered. *)
Example turns : forall s, In s (game_after []) -> fst (snd s) = false /\ fst s = [(true, start)].
Proof. vm_compute. intros s I. repeat (destruct I as [<-|I]; [split; reflexivity|]). destruct I. Qed.
