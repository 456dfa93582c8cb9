(* A checker for a table of values, for any game, and the proof that what it accepts is right. *)

Require Import Arith Bool Lia List.
From Proof Require Import Game.
Import ListNotations.

Section Checker.

Context {position : Type} (g : game position).

(* The table: any function that gives each position a value, which may be wrong. *)
Variable table : position -> value.

(* The positions to check come in groups, so that not all of them have to be in memory at the same time. *)
Context {group : Type}.
Variable members : group -> list position.
Variable groups : list group.

(* ---- the checker ---- *)

Definition is_lost (v : value) : bool := match v with Lost _ => true | _ => false end.
Definition is_drawn (v : value) : bool := match v with Drawn => true | _ => false end.
Definition is_won_in (n : nat) (v : value) : bool := match v with Won m => m =? n | _ => false end.
Definition is_lost_in (n : nat) (v : value) : bool := match v with Lost m => m =? n | _ => false end.
Definition is_won_in_at_most (n : nat) (v : value) : bool := match v with Won m => m <=? n | _ => false end.
Definition is_lost_in_less_than (n : nat) (v : value) : bool := match v with Lost m => m <? n | _ => false end.

(* Whether the value of a position that has not ended follows from the values after its moves. *)
Definition follows (v : value) (after : list value) : bool :=
  match v with
  | Won 0 | Lost 0 => false
  | Won (S n) => existsb (is_lost_in n) after && negb (existsb (is_lost_in_less_than n) after)
  | Lost (S n) => existsb (is_won_in n) after && forallb (is_won_in_at_most n) after
  | Drawn => negb (existsb is_lost after) && match after with [] => true | _ => existsb is_drawn after end
  end.

Definition agrees (p : position) : bool :=
  if ended g p then is_lost_in 0 (table p) else follows (table p) (map table (moves g p)).

(* The first position that does not agree with those after its moves; None means that the checker accepts the table. *)
Fixpoint first_wrong (rest : list group) : option position :=
  match rest with
  | [] => None
  | x :: others =>
      match find (fun p => negb (agrees p)) (members x) with
      | Some p => Some p
      | None => first_wrong others
      end
  end.

(* Goes through the values of all positions in the table, for statistics. *)
Definition fold_table {A : Type} (f : A -> value -> A) (a : A) : A :=
  fold_left (fun a x => fold_left (fun a p => f a (table p)) (members x) a) groups a.

(* ---- the proof ---- *)

Definition listed (p : position) : Prop := In p (flat_map members groups).

Lemma accepted_agrees : first_wrong groups = None -> forall p, listed p -> agrees p = true.
Proof.
  unfold listed. induction groups as [|x rest IH]; cbn; [tauto|]. intros N p I.
  destruct (find _ (members x)) eqn:F; [discriminate|]. apply in_app_or in I. destruct I as [I|I].
  - apply (find_none _ _ F) in I. apply negb_false_iff in I. exact I.
  - exact (IH N p I).
Qed.

Section Accepted.

Hypothesis closed : forall p q, listed p -> ended g p = false -> In q (moves g p) -> listed q.
Hypothesis accepted : first_wrong groups = None.

Lemma table_agrees : forall p, listed p -> agrees p = true.
Proof. exact (accepted_agrees accepted). Qed.

(* What the local conditions mean, as propositions. *)
Lemma ended_in_table : forall p, listed p -> ended g p = true -> table p = Lost 0.
Proof.
  intros p I E. pose proof (table_agrees p I) as A. unfold agrees in A. rewrite E in A.
  destruct (table p) as [n|n|]; cbn in A; try discriminate. apply Nat.eqb_eq in A. congruence.
Qed.

Lemma follows_in_table : forall p, listed p -> ended g p = false -> follows (table p) (map table (moves g p)) = true.
Proof. intros p I E. pose proof (table_agrees p I) as A. unfold agrees in A. rewrite E in A. exact A. Qed.

Lemma in_after : forall p q, In q (moves g p) -> In (table q) (map table (moves g p)).
Proof. intros p q. apply in_map. Qed.

Lemma won_in_table : forall p n, listed p -> table p = Won n -> exists m q,
  n = S m /\ ended g p = false /\ In q (moves g p) /\ table q = Lost m /\
  forall r k, In r (moves g p) -> table r = Lost k -> m <= k.
Proof.
  intros p n I T. destruct (ended g p) eqn:E; [rewrite (ended_in_table p I E) in T; discriminate|].
  pose proof (follows_in_table p I E) as F. rewrite T in F. destruct n as [|m]; [discriminate|].
  cbn in F. apply andb_true_iff in F. destruct F as [X N]. apply existsb_exists in X.
  destruct X as [v [Iv L]]. apply in_map_iff in Iv. destruct Iv as [q [<- Iq]].
  exists m, q. repeat split; trivial.
  - destruct (table q) as [k|k|]; cbn in L; try discriminate. apply Nat.eqb_eq in L. congruence.
  - intros r k Ir Tr. apply negb_true_iff in N. destruct (le_lt_dec m k) as [H|H]; [exact H|].
    assert (existsb (is_lost_in_less_than m) (map table (moves g p)) = true); [|congruence].
    apply existsb_exists. exists (table r). split; [apply in_after, Ir|]. rewrite Tr. apply Nat.ltb_lt, H.
Qed.

Lemma lost_in_table : forall p n, listed p -> table p = Lost n -> ended g p = true /\ n = 0 \/ exists m q,
  n = S m /\ ended g p = false /\ In q (moves g p) /\ table q = Won m /\
  forall r, In r (moves g p) -> exists k, table r = Won k /\ k <= m.
Proof.
  intros p n I T. destruct (ended g p) eqn:E.
  - left. rewrite (ended_in_table p I E) in T. split; congruence.
  - right. pose proof (follows_in_table p I E) as F. rewrite T in F. destruct n as [|m]; [discriminate|].
    cbn in F. apply andb_true_iff in F. destruct F as [X A]. apply existsb_exists in X.
    destruct X as [v [Iv W]]. apply in_map_iff in Iv. destruct Iv as [q [<- Iq]].
    exists m, q. repeat split; trivial.
    + destruct (table q) as [k|k|]; cbn in W; try discriminate. apply Nat.eqb_eq in W. congruence.
    + intros r Ir. rewrite forallb_forall in A. specialize (A (table r) (in_after p r Ir)).
      destruct (table r) as [k|k|]; cbn in A; try discriminate. exists k. split; [reflexivity|apply Nat.leb_le, A].
Qed.

Lemma drawn_in_table : forall p, listed p -> table p = Drawn ->
  ended g p = false /\ (forall q n, In q (moves g p) -> table q <> Lost n) /\
  (moves g p = [] \/ exists q, In q (moves g p) /\ table q = Drawn).
Proof.
  intros p I T. destruct (ended g p) eqn:E; [rewrite (ended_in_table p I E) in T; discriminate|].
  pose proof (follows_in_table p I E) as F. rewrite T in F. cbn in F. apply andb_true_iff in F. destruct F as [N D].
  split; [reflexivity|]. split.
  - intros q n Iq Tq. apply negb_true_iff in N.
    assert (existsb is_lost (map table (moves g p)) = true); [|congruence].
    apply existsb_exists. exists (table q). split; [apply in_after, Iq|]. rewrite Tq. reflexivity.
  - destruct (moves g p) as [|r rest]; [left; reflexivity|right]. cbn [map] in D.
    change (existsb is_drawn (map table (r :: rest)) = true) in D. apply existsb_exists in D.
    destruct D as [v [Iv Dv]]. apply in_map_iff in Iv. destruct Iv as [q [<- Iq]].
    exists q. split; [exact Iq|]. destruct (table q); discriminate || reflexivity.
Qed.

(* Losses and wins in the table are losses and wins, by induction on the distance: that of the position after the move
   is smaller. *)
Lemma table_to_game : forall n p, listed p ->
  (table p = Lost n -> lost_within g n p) /\ (table p = Won n -> won_within g n p).
Proof.
  induction n as [n IH] using lt_wf_ind. intros p I. split; intros T.
  - destruct (lost_in_table p n I T) as [[E _]|[m [q [-> [E [Iq [_ A]]]]]]]; [apply ended_is_lost, E|].
    rewrite lost_within_S. right. split; [intros N; rewrite N in Iq; exact Iq|].
    intros r Ir. destruct (A r Ir) as [k [Tr L]]. apply (won_within_more g k m); [exact L|].
    apply (IH k); [lia|exact (closed p r I E Ir)|exact Tr].
  - destruct (won_in_table p n I T) as [m [q [-> [E [Iq [Tq _]]]]]]. rewrite won_within_S. split; [exact E|].
    exists q. split; [exact Iq|]. apply (IH m); [lia|exact (closed p q I E Iq)|exact Tq].
Qed.

(* Losses and wins are in the table, and with distances that are not too long, by induction on the number of plies. *)
Lemma game_to_table : forall n p, listed p ->
  (lost_within g n p -> exists m, m <= n /\ table p = Lost m) /\
  (won_within g n p -> exists m, m <= n /\ table p = Won m).
Proof.
  induction n as [|n IH]; intros p I.
  - split; [|contradiction]. rewrite lost_within_0. intros E. exists 0. split; [lia|exact (ended_in_table p I E)].
  - split.
    + rewrite lost_within_S. intros L.
      destruct (ended g p) eqn:E; [exists 0; split; [lia|exact (ended_in_table p I E)]|].
      destruct L as [L|[N A]]; [discriminate L|].
      assert (W : forall q, In q (moves g p) -> exists m, m <= n /\ table q = Won m).
      { intros q Iq. apply (IH q (closed p q I E Iq)), A, Iq. }
      destruct (table p) as [m|m|] eqn:T.
      * destruct (won_in_table p m I T) as [k [q [_ [_ [Iq [Tq _]]]]]]. destruct (W q Iq) as [j [_ Wq]]. congruence.
      * exists m. split; [|reflexivity]. destruct (lost_in_table p m I T) as [[_ ->]|[k [q [-> [_ [Iq [Tq _]]]]]]].
        -- lia.
        -- destruct (W q Iq) as [j [L Wq]]. assert (j = k) by congruence. lia.
      * destruct (drawn_in_table p I T) as [_ [_ [N'|[q [Iq Tq]]]]]; [contradiction|].
        destruct (W q Iq) as [j [_ Wq]]. congruence.
    + rewrite won_within_S. intros [E [q [Iq L]]].
      destruct (IH q (closed p q I E Iq)) as [H _]. destruct (H L) as [k [Lk Tq]].
      destruct (table p) as [m|m|] eqn:T.
      * exists m. split; [|reflexivity]. destruct (won_in_table p m I T) as [j [_ [-> [_ [_ [_ A]]]]]].
        specialize (A q k Iq Tq). lia.
      * destruct (lost_in_table p m I T) as [[E' _]|[j [r [_ [_ [_ [_ A]]]]]]]; [congruence|].
        destruct (A q Iq) as [i [Wq _]]. congruence.
      * destruct (drawn_in_table p I T) as [_ [A _]]. destruct (A q k Iq Tq).
Qed.

(* What the checker accepts is right, the distances included. *)
Theorem accepted_is_right : forall p, listed p -> has_value g p (table p).
Proof.
  intros p I. destruct (table p) as [n|n|] eqn:T; cbn.
  - split; [apply table_to_game; assumption|]. intros m L W.
    apply (game_to_table m p I) in W. destruct W as [k [H Tk]]. assert (k = n) by congruence. lia.
  - split; [apply table_to_game; assumption|]. intros m L W.
    apply (game_to_table m p I) in W. destruct W as [k [H Tk]]. assert (k = n) by congruence. lia.
  - intros n. split; intros H; apply (game_to_table n p I) in H; destruct H as [m [_ Tm]]; congruence.
Qed.

End Accepted.

(* Conversely, a right table is accepted: the checker rejects none without reason. *)
Section Right.

Hypothesis closed : forall p q, listed p -> ended g p = false -> In q (moves g p) -> listed q.
Hypothesis right : forall p, listed p -> has_value g p (table p).

Lemma right_value : forall p v, listed p -> has_value g p v -> table p = v.
Proof. intros p v I H. exact (value_unique g p _ _ (right p I) H). Qed.

Lemma right_follows : forall p, listed p -> ended g p = false -> follows (table p) (map table (moves g p)) = true.
Proof.
  intros p I E. pose proof (right p I) as R. destruct (table p) as [[|n]|[|n]|] eqn:T; cbn in R.
  - destruct R as [[] _].
  - apply winner_minimises in R. destruct R as [_ [[q [Iq L]] A]]. cbn. apply andb_true_iff. split.
    + apply existsb_exists. exists (table q). split; [apply in_after, Iq|].
      rewrite (right_value q (Lost n)); [apply Nat.eqb_refl|eauto|exact L].
    + apply negb_true_iff. destruct (existsb _ _) eqn:X; [|reflexivity]. apply existsb_exists in X.
      destruct X as [v [Iv Lv]]. apply in_map_iff in Iv. destruct Iv as [r [<- Ir]].
      destruct (table r) as [m|m|] eqn:Tr; cbn in Lv; try discriminate. apply Nat.ltb_lt in Lv.
      pose proof (right r (closed p r I E Ir)) as Rr. rewrite Tr in Rr. specialize (A r m Ir Rr). lia.
  - destruct R as [L _]. rewrite lost_within_0 in L. congruence.
  - apply loser_maximises in R. destruct R as [_ [A [q [Iq W]]]]. cbn. apply andb_true_iff. split.
    + apply existsb_exists. exists (table q). split; [apply in_after, Iq|].
      rewrite (right_value q (Won n)); [apply Nat.eqb_refl|eauto|exact W].
    + apply forallb_forall. intros v Iv. apply in_map_iff in Iv. destruct Iv as [r [<- Ir]].
      destruct (A r Ir) as [m [L Wm]]. rewrite (right_value r (Won m)); [apply Nat.leb_le, L|eauto|exact Wm].
  - assert (N : forall q n, In q (moves g p) -> table q <> Lost n).
    { intros q n Iq Tq. pose proof (right q (closed p q I E Iq)) as Rq. rewrite Tq in Rq. destruct Rq as [L _].
      destruct (R (S n)) as [_ H]. apply H. rewrite won_within_S. eauto. }
    cbn. apply andb_true_iff. split.
    + apply negb_true_iff. destruct (existsb _ _) eqn:X; [|reflexivity]. apply existsb_exists in X.
      destruct X as [v [Iv Lv]]. apply in_map_iff in Iv. destruct Iv as [q [<- Iq]].
      destruct (table q) as [m|m|] eqn:Tq; try discriminate. destruct (N q m Iq Tq).
    + destruct (existsb is_drawn (map table (moves g p))) eqn:X; [destruct (map _ _); reflexivity|].
      (* Otherwise all moves would lead to wins of the opponent, the longest of which gives the distance of a loss. *)
      assert (B : forall rest, incl rest (moves g p) -> exists n, forall q, In q rest -> won_within g n q).
      { induction rest as [|q rest IH]; intros L; [exists 0; intros q []|].
        destruct IH as [n A]; [intros r Ir; apply L; right; exact Ir|].
        assert (Iq : In q (moves g p)) by (apply L; left; reflexivity).
        destruct (table q) as [m|m|] eqn:Tq.
        - pose proof (right q (closed p q I E Iq)) as Rq. rewrite Tq in Rq. destruct Rq as [W _].
          exists (max n m). intros r [<-|Ir].
          + apply (won_within_more g m); [lia|exact W].
          + apply (won_within_more g n); [lia|exact (A r Ir)].
        - destruct (N q m Iq Tq).
        - assert (existsb is_drawn (map table (moves g p)) = true); [|congruence].
          apply existsb_exists. exists (table q). split; [apply in_after, Iq|]. rewrite Tq. reflexivity. }
      destruct (B (moves g p) (incl_refl _)) as [n A]. destruct (moves g p) as [|q rest] eqn:M; [reflexivity|].
      exfalso. destruct (R (S n)) as [H _]. apply H. rewrite lost_within_S, M. right. split; [discriminate|exact A].
Qed.

Theorem right_is_accepted : first_wrong groups = None.
Proof.
  assert (A : forall p, listed p -> agrees p = true).
  { intros p I. unfold agrees. destruct (ended g p) eqn:E; [|exact (right_follows p I E)].
    rewrite (right_value p (Lost 0)); [reflexivity|exact I|]. split; [apply lost_within_0, E|lia]. }
  unfold listed in A. clear closed right. induction groups as [|x rest IH]; cbn; [reflexivity|].
  cbn in A. destruct (find _ (members x)) as [p|] eqn:F.
  - apply find_some in F. destruct F as [Ip N]. rewrite A in N; [discriminate|]. apply in_or_app. left. exact Ip.
  - apply IH. intros p Ip. apply A, in_or_app. right. exact Ip.
Qed.

End Right.

Theorem fold_table_is_fold : forall A (f : A -> value -> A) a,
  fold_table f a = fold_left f (map table (flat_map members groups)) a.
Proof.
  intros A f. unfold fold_table. induction groups as [|x rest IH]; intros a; cbn; [reflexivity|].
  rewrite IH, map_app, fold_left_app. f_equal. clear IH. revert a. induction (members x); cbn; auto.
Qed.

End Checker.
