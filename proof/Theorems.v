(* What is proved about a table that the checker accepts: the values are those of the definitions. *)

Require Import Arith List.
From Proof Require Import Game Checker Neutreeko Complete Threefold.
Import ListNotations.

(* A table is any function from positions to values. *)
Definition table_of_values : Type := placement -> value.

(* The first legal position of a board whose value in the table does not follow from those after its moves. *)
Definition first_wrong_position (b : board) (table : table_of_values) : option placement :=
  first_wrong (neutreeko b) table (members b) (groups b).

(* Goes through the values of all legal positions in the table. *)
Definition fold_values (b : board) (table : table_of_values) {A : Type} (f : A -> value -> A) (a : A) : A :=
  fold_table table (members b) (groups b) f a.

Lemma listed_iff : forall b p, listed (members b) (groups b) p <-> legal b p.
Proof. exact legal_positions_complete. Qed.

Lemma listed_closed : forall b p q,
  listed (members b) (groups b) p -> ended (neutreeko b) p = false -> In q (moves (neutreeko b) p) ->
  listed (members b) (groups b) q.
Proof. intros b p q. rewrite !listed_iff. apply legal_closed. Qed.

(* The checker accepts exactly the right tables. *)
Theorem accepted_iff_right : forall b table,
  first_wrong_position b table = None <-> forall p, legal b p -> has_value (neutreeko b) p (table p).
Proof.
  intros b table. split.
  - intros A p L. apply (accepted_is_right (neutreeko b) table (members b) (groups b) (listed_closed b) A).
    apply listed_iff, L.
  - intros R. apply right_is_accepted; [exact (listed_closed b)|]. intros p I. apply R, listed_iff, I.
Qed.

(* The same with the rule of threefold repetition, as long as no position has occurred twice before. Positions are the
   same if they have the same placement and the same player is to move. *)
Definition same_position : forall p q : bool * placement, {p = q} + {p <> q}.
Proof. repeat decide equality. Defined.

Definition neutreeko_with_threefold (b : board) := threefold (with_players (neutreeko b)) same_position.

Theorem accepted_is_right_with_threefold : forall b table, first_wrong_position b table = None ->
  forall history player p, (forall q, occurrences same_position q history <= 1) -> legal b p ->
  has_value (neutreeko_with_threefold b) (history, (player, p)) (table p).
Proof.
  intros b table A history player p H L. apply threefold_keeps_values; [exact H|].
  apply with_players_keeps_values, accepted_iff_right; assumption.
Qed.

(* Statistics of an accepted table go through each legal position once, with its value. *)
Theorem accepted_statistics : forall b table, first_wrong_position b table = None ->
  exists l : list (placement * value),
  NoDup (map fst l) /\ (forall p, In p (map fst l) <-> legal b p) /\
  (forall p v, In (p, v) l -> has_value (neutreeko b) p v) /\
  forall A (f : A -> value -> A) a, fold_values b table f a = fold_left f (map snd l) a.
Proof.
  intros b table C. exists (map (fun p => (p, table p)) (legal_positions b)). rewrite !map_map. cbn [fst snd].
  rewrite map_id. split; [apply legal_positions_once|]. split; [apply legal_positions_complete|]. split.
  - intros p v I. apply in_map_iff in I. destruct I as [q [E I]]. injection E as -> <-.
    apply accepted_iff_right; [exact C|]. apply legal_positions_complete, I.
  - intros A f a. apply fold_table_is_fold.
Qed.
