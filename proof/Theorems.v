(* What is proved about a table that the checker accepts, for any board. *)

Require Import Arith Bool List NArith Uint63 PArray.
From Proof Require Import Game Neutreeko Complete Checker Threefold.
Import ListNotations.

(* Positions are the same for threefold repetition if they have the same placement and the same player is to move. *)
Definition same_position : forall p q : bool * placement, {p = q} + {p <> q}.
Proof. repeat decide equality. Defined.

Definition neutreeko_with_threefold (b : board) := threefold (with_players (neutreeko b)) same_position.

(* How many positions have a property. *)
Definition number_of (P : placement -> Prop) (n : N) : Prop :=
  exists l, NoDup l /\ (forall p, In p l <-> P p) /\ N.of_nat (List.length l) = n.

Lemma number_is_0 : forall P, number_of P 0 -> forall p, ~ P p.
Proof. intros P [[|q l] [_ [A L]]] p H; [exact (proj2 (A p) H)|discriminate L]. Qed.

Section Accepted.

Variable b : board.
Variable rows : array (array int).
Hypothesis distinct : bits_are_distinct b = true.
Hypothesis accepted : first_wrong_position b rows = None.

Theorem values_are_right : forall p, legal b p -> has_value (neutreeko b) p (value_in b rows p).
Proof. exact (accepted_is_right b rows distinct accepted). Qed.

(* The same with the rule of threefold repetition, as long as no position has occurred twice before. *)
Theorem values_are_right_with_threefold : forall history player p,
  (forall q, occurrences same_position q history <= 1) -> legal b p ->
  has_value (neutreeko_with_threefold b) (history, (player, p)) (value_in b rows p).
Proof.
  intros history player p H L. apply threefold_keeps_values; [exact H|].
  apply with_players_keeps_values, values_are_right, L.
Qed.

(* The number of positions with a property can be counted in the table. *)
Theorem number_is_count : forall (P : placement -> Prop) (such : value -> bool) (n : N),
  (forall p v, has_value (neutreeko b) p v -> (such v = true <-> P p)) -> count b rows such = n ->
  number_of (fun p => legal b p /\ P p) n.
Proof.
  intros P such n S <-. exists (filter (fun p => such (value_in b rows p)) (legal_positions b)). split; [|split].
  - apply NoDup_filter, legal_positions_once.
  - intros p. rewrite filter_In, legal_positions_complete. pose proof (values_are_right p) as V.
    split; intros [L H]; (split; [exact L|]); apply (S p _ (V L)), H.
  - symmetry. exact (count_is b rows distinct such).
Qed.

(* How many values were printed, if each is for another position. *)
Theorem number_is_all : forall n, count b rows (fun _ => true) = n -> number_of (legal b) n.
Proof.
  intros n C. destruct (number_is_count (fun _ => True) (fun _ => true) n) as [l [once [all length]]]; [tauto|exact C|].
  exists l. split; [exact once|split; [|exact length]]. intros p. rewrite all. tauto.
Qed.

End Accepted.

(* Properties of positions, and of their values. *)
Section Properties.

Context {position : Type} (g : game position).

Definition is_won (v : value) : bool := match v with Won _ => true | _ => false end.
Definition is_lost (v : value) : bool := match v with Lost _ => true | _ => false end.
Definition is_drawn (v : value) : bool := match v with Drawn => true | _ => false end.
Definition is_won_in (n : nat) (v : value) : bool := match v with Won m => m =? n | _ => false end.
Definition is_lost_in (n : nat) (v : value) : bool := match v with Lost m => m =? n | _ => false end.
Definition is_longer_than (n : nat) (v : value) : bool := match v with Won m | Lost m => n <? m | Drawn => false end.

Lemma value_is : forall p v w, has_value g p v -> (v = w <-> has_value g p w).
Proof. intros p v w V. split; [intros <-; exact V|exact (value_unique g p v w V)]. Qed.

Lemma is_won_iff : forall p v, has_value g p v -> (is_won v = true <-> exists n, won g n p).
Proof.
  intros p v V. split.
  - destruct v as [n| |]; try discriminate. eauto.
  - intros [n W]. apply (value_is p v (Won n) V) in W. subst v. reflexivity.
Qed.

Lemma is_lost_iff : forall p v, has_value g p v -> (is_lost v = true <-> exists n, lost g n p).
Proof.
  intros p v V. split.
  - destruct v as [|n|]; try discriminate. eauto.
  - intros [n L]. apply (value_is p v (Lost n) V) in L. subst v. reflexivity.
Qed.

Lemma is_drawn_iff : forall p v, has_value g p v -> (is_drawn v = true <-> drawn g p).
Proof.
  intros p v V. change (drawn g p) with (has_value g p Drawn). rewrite <- (value_is p v Drawn V).
  destruct v; cbn; split; congruence.
Qed.

Lemma is_won_in_iff : forall n p v, has_value g p v -> (is_won_in n v = true <-> won g n p).
Proof.
  intros n p v V. change (won g n p) with (has_value g p (Won n)). rewrite <- (value_is p v (Won n) V).
  destruct v; cbn; rewrite ?Nat.eqb_eq; split; congruence.
Qed.

Lemma is_lost_in_iff : forall n p v, has_value g p v -> (is_lost_in n v = true <-> lost g n p).
Proof.
  intros n p v V. change (lost g n p) with (has_value g p (Lost n)). rewrite <- (value_is p v (Lost n) V).
  destruct v; cbn; rewrite ?Nat.eqb_eq; split; congruence.
Qed.

Lemma is_longer_than_iff : forall n p v, has_value g p v ->
  (is_longer_than n v = true <-> exists m, n < m /\ (won g m p \/ lost g m p)).
Proof.
  intros n p v V. split.
  - intros H. destruct v as [m|m|]; [| |discriminate H]; exists m; (split; [apply Nat.ltb_lt, H|auto]).
  - intros [m [L [W|W]]]; [apply (value_is p v (Won m) V) in W|apply (value_is p v (Lost m) V) in W];
      subst v; apply Nat.ltb_lt, L.
Qed.

End Properties.
