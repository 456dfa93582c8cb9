(* The statements of the main theorems, as they are relied on: a theorem that is changed makes one of these fail. And
   examples of what the checker requires and of threefold repetition. *)

Require Import List.
From Proof Require Import Game Checker Neutreeko Threefold Theorems.
Import ListNotations.

(* ---- theorems ---- *)

Example values_are_right : forall (b : board) (table : placement -> value),
  first_wrong_position b table = None <-> forall p, legal b p -> has_value (neutreeko b) p (table p).
Proof. exact accepted_iff_right. Qed.

Example values_are_right_with_threefold : forall (b : board) (table : placement -> value),
  first_wrong_position b table = None ->
  forall (history : list (bool * placement)) (player : bool) (p : placement),
  (forall q, count_occ same_position history q <= 1) -> legal b p ->
  has_value (threefold (with_players (neutreeko b)) same_position) (history, (player, p)) (table p).
Proof. exact accepted_is_right_with_threefold. Qed.

Example statistics_are_right : forall (b : board) (table : placement -> value), first_wrong_position b table = None ->
  exists l : list (placement * value),
  NoDup (map fst l) /\ (forall p, In p (map fst l) <-> legal b p) /\
  (forall p v, In (p, v) l -> has_value (neutreeko b) p v) /\
  forall A (f : A -> value -> A) a, fold_values b table f a = fold_left f (map snd l) a.
Proof. exact accepted_statistics. Qed.

Example values_are_unique : forall (b : board) p v w,
  has_value (neutreeko b) p v -> has_value (neutreeko b) p w -> v = w.
Proof. intros b. apply value_unique. Qed.

(* ---- the checker ---- *)

(* The distance of a win is that of the nearest loss, and one more. *)
Example nearest_loss : map (fun v => follows v [Lost 2; Drawn; Lost 0]) [Won 1; Won 3] = [true; false].
Proof. reflexivity. Qed.

(* ---- threefold repetition ---- *)

Definition after (history : list (bool * placement)) :=
  moves (neutreeko_with_threefold standard) (history, (true, start)).

(* The third occurrence ends the game; the same squares with the other player to move are another position. *)
Example occurrences_of_start :
  map (fun history => length (after history))
    [[(true, start)]; [(true, start); (true, start)]; [(false, start); (false, start)]] = [14; 0; 14].
Proof. vm_compute. reflexivity. Qed.

(* The players take turns, and the position that was left is remembered. *)
Example turns : forall s, In s (after []) -> fst (snd s) = false /\ fst s = [(true, start)].
Proof. vm_compute. intros s I. repeat (destruct I as [<-|I]; [split; reflexivity|]). destruct I. Qed.
