(* Values that follow from those after the moves, at each position, are right. This holds for any game. *)

Require Import Arith Lia List.
From Proof Require Import Game.
Import ListNotations.

Section Local.

Context {position : Type} (g : game position).

(* The table: any function that gives each position a value, which may be wrong. *)
Variable table : position -> value.

(* A set of positions that no move leaves, unless the game is over. *)
Variable legal : position -> Prop.
Hypothesis closed : forall p q, legal p -> ended g p = false -> In q (moves g p) -> legal q.

(* The local conditions: how the value of a position is related to those after its moves. *)
Definition follows (p : position) : Prop :=
  match table p with
  | Won n => exists m q, n = S m /\ In q (moves g p) /\ table q = Lost m /\
      forall r k, In r (moves g p) -> table r = Lost k -> m <= k
  | Lost n => exists m q, n = S m /\ In q (moves g p) /\ table q = Won m /\
      forall r, In r (moves g p) -> exists k, table r = Won k /\ k <= m
  | Drawn => (forall q n, In q (moves g p) -> table q <> Lost n) /\
      (moves g p = [] \/ exists q, In q (moves g p) /\ table q = Drawn)
  end.

Definition agrees (p : position) : Prop := if ended g p then table p = Lost 0 else follows p.

Hypothesis all_agree : forall p, legal p -> agrees p.

Lemma ended_in_table : forall p, legal p -> ended g p = true -> table p = Lost 0.
Proof. intros p L E. pose proof (all_agree p L) as A. unfold agrees in A. rewrite E in A. exact A. Qed.

Lemma follows_in_table : forall p, legal p -> ended g p = false -> follows p.
Proof. intros p L E. pose proof (all_agree p L) as A. unfold agrees in A. rewrite E in A. exact A. Qed.

(* Losses and wins in the table are losses and wins, by induction on the distance: that of the position after the move
   is smaller. *)
Lemma table_to_game : forall n p, legal p ->
  (table p = Lost n -> lost_within g n p) /\ (table p = Won n -> won_within g n p).
Proof.
  induction n as [n IH] using lt_wf_ind. intros p L. destruct (ended g p) eqn:E.
  - rewrite (ended_in_table p L E). split; [intros _; apply ended_is_lost, E|discriminate].
  - pose proof (follows_in_table p L E) as F. unfold follows in F. split; intros T; rewrite T in F;
      destruct F as [m [q [-> [I [Q A]]]]]; assert (C := fun r I => closed p r L E I).
    + rewrite lost_within_S. right. split; [intros N; rewrite N in I; exact I|].
      intros r J. destruct (A r J) as [k [R K]]. apply (won_within_more g k m r K), (IH k); auto with arith.
    + rewrite won_within_S. split; [exact E|]. exists q. split; [exact I|]. apply (IH m); auto with arith.
Qed.

(* Losses and wins are in the table, and with distances that are not too long, by induction on the number of plies. *)
Lemma game_to_table : forall n p, legal p ->
  (lost_within g n p -> exists m, m <= n /\ table p = Lost m) /\
  (won_within g n p -> exists m, m <= n /\ table p = Won m).
Proof.
  induction n as [|n IH]; intros p L.
  - split; [|contradiction]. rewrite lost_within_0. intros E. exists 0. auto using ended_in_table.
  - rewrite lost_within_S, won_within_S. destruct (ended g p) eqn:E.
    { split; [|intros [H _]; discriminate]. intros _. exists 0. split; [lia|exact (ended_in_table p L E)]. }
    pose proof (follows_in_table p L E) as F. unfold follows in F. assert (C := fun r I => closed p r L E I). split.
    + intros [H|[N A]]; [discriminate H|].
      assert (W : forall q, In q (moves g p) -> exists m, m <= n /\ table q = Won m) by (intros; apply IH; auto).
      destruct (table p) as [m|m|].
      * destruct F as [k [q [_ [I [Q _]]]]]. destruct (W q I) as [j [_ Wq]]. congruence.
      * destruct F as [k [q [-> [I [Q _]]]]]. destruct (W q I) as [j [J Wq]].
        exists (S k). split; [|reflexivity]. assert (j = k) by congruence. lia.
      * destruct F as [_ [H|[q [I Q]]]]; [contradiction|]. destruct (W q I) as [j [_ Wq]]. congruence.
    + intros [_ [q [I H]]]. apply (IH q (C q I)) in H. destruct H as [k [K Q]]. destruct (table p) as [m|m|].
      * destruct F as [j [r [-> [_ [_ A]]]]]. exists (S j). split; [|reflexivity]. specialize (A q k I Q). lia.
      * destruct F as [j [r [_ [_ [_ A]]]]]. destruct (A q I) as [i [W _]]. congruence.
      * destruct F as [A _]. destruct (A q k I Q).
Qed.

(* All values are right, the distances included. *)
Theorem local_is_right : forall p, legal p -> has_value g p (table p).
Proof.
  intros p L. destruct (table p) as [n|n|] eqn:T; cbn.
  - split; [apply table_to_game; assumption|]. intros m M H. apply (game_to_table m p L) in H.
    destruct H as [k [K Tk]]. assert (k = n) by congruence. lia.
  - split; [apply table_to_game; assumption|]. intros m M H. apply (game_to_table m p L) in H.
    destruct H as [k [K Tk]]. assert (k = n) by congruence. lia.
  - intros n. split; intros H; apply (game_to_table n p L) in H; destruct H as [m [_ Tm]]; congruence.
Qed.

End Local.
