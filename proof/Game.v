(* Any game of two players who move in turn, and the values of its positions. The definitions of this file and of
   Neutreeko.v are the specification: what the theorems mean depends on them. The lemmas need not be read, because Coq
   checks their proofs. *)

Require Import Arith Bool Lia List.
Import ListNotations.

(* ---- the definitions ---- *)

(* A position includes whose turn it is. In a position that has ended, the side to move has lost. *)
Record game (position : Type) := {
  ended : position -> bool;
  moves : position -> list position (* the positions after each legal move, in which the opponent is to move *)
}.

Arguments ended {position}.
Arguments moves {position}.

Section Values.

Context {position : Type} (g : game position).

(* Whether the side to move loses, or wins, in at most n plies, whatever the opponent, or with the best moves. The side
   to move loses if every move leads to a win of the opponent, and there is a move; it wins if some move leads to a
   loss of the opponent. *)
Fixpoint lost_within (n : nat) (p : position) : Prop :=
  ended g p = true \/
  match n with
  | 0 => False
  | S m => moves g p <> [] /\ forall q, In q (moves g p) -> won_within m q
  end
with won_within (n : nat) (p : position) : Prop :=
  match n with
  | 0 => False
  | S m => ended g p = false /\ exists q, In q (moves g p) /\ lost_within m q
  end.

(* The distance of a loss or a win is the least n: the winner wins as fast as possible, the loser delays as long as
   possible. In a drawn position neither side can force a win; one without moves that has not ended is drawn too. *)
Definition lost (n : nat) (p : position) := lost_within n p /\ forall m, m < n -> ~ lost_within m p.
Definition won (n : nat) (p : position) := won_within n p /\ forall m, m < n -> ~ won_within m p.
Definition drawn (p : position) := forall n, ~ lost_within n p /\ ~ won_within n p.

(* A value, for the side to move, with the distance in plies. *)
Inductive value := Won (n : nat) | Lost (n : nat) | Drawn.

Definition has_value (p : position) (v : value) : Prop :=
  match v with
  | Won n => won n p
  | Lost n => lost n p
  | Drawn => drawn p
  end.

(* ---- the lemmas ---- *)

(* Lets the proofs unfold one ply. *)
Lemma lost_within_S : forall n (p : position),
  lost_within (S n) p <-> ended g p = true \/ moves g p <> [] /\ forall q, In q (moves g p) -> won_within n q.
Proof. intros. reflexivity. Qed.

Lemma won_within_S : forall n (p : position),
  won_within (S n) p <-> ended g p = false /\ exists q, In q (moves g p) /\ lost_within n q.
Proof. intros. reflexivity. Qed.

Lemma lost_within_0 : forall p, lost_within 0 p <-> ended g p = true.
Proof. intros. cbn. tauto. Qed.

Lemma ended_is_lost : forall n p, ended g p = true -> lost_within n p.
Proof. intros [|n] p E; left; exact E. Qed.

(* What is decided within n plies is decided within more. *)
Lemma within_more : forall m n, m <= n -> forall p,
  (lost_within m p -> lost_within n p) /\ (won_within m p -> won_within n p).
Proof.
  intros m. induction m as [|m IH]; intros n L p.
  - split; [|contradiction]. rewrite lost_within_0. apply ended_is_lost.
  - destruct n as [|n]; [lia|]. assert (L' : m <= n) by lia. rewrite !lost_within_S, !won_within_S. split.
    + intros [E|[N A]]; [left; exact E|right]. split; [exact N|]. intros q I. apply (IH n L'), A, I.
    + intros [E [q [I W]]]. split; [exact E|]. exists q. split; [exact I|]. apply (IH n L'), W.
Qed.

Lemma lost_within_more : forall m n p, m <= n -> lost_within m p -> lost_within n p.
Proof. intros m n p L. apply within_more, L. Qed.

Lemma won_within_more : forall m n p, m <= n -> won_within m p -> won_within n p.
Proof. intros m n p L. apply within_more, L. Qed.

(* No position is both lost and won. *)
Lemma not_both : forall n m p, lost_within n p -> won_within m p -> False.
Proof.
  intros n. induction n as [n IH] using lt_wf_ind. intros [|m] p L W; [exact W|].
  rewrite won_within_S in W. destruct W as [E [q [I Lq]]].
  destruct n as [|n].
  - rewrite lost_within_0 in L. congruence.
  - rewrite lost_within_S in L. destruct L as [L|[_ A]]; [congruence|]. specialize (A q I).
    destruct n as [|n]; [exact A|]. rewrite won_within_S in A. destruct A as [Eq [r [Ir Lr]]].
    destruct m as [|m]; [rewrite lost_within_0 in Lq; congruence|].
    rewrite lost_within_S in Lq. destruct Lq as [Lq|[_ A]]; [congruence|].
    apply (IH n) with (m := m) (p := r); [lia|exact Lr|exact (A r Ir)].
Qed.

Lemma least_is_unique : forall (P : nat -> Prop) m n,
  P m -> P n -> (forall k, k < m -> ~ P k) -> (forall k, k < n -> ~ P k) -> m = n.
Proof.
  intros P m n Pm Pn Lm Ln. destruct (lt_eq_lt_dec m n) as [[L|E]|L]; [|exact E|]; exfalso.
  - exact (Ln m L Pm).
  - exact (Lm n L Pn).
Qed.

(* Every position has at most one value. *)
Theorem value_unique : forall p v w, has_value p v -> has_value p w -> v = w.
Proof.
  intros p [m|m|] [n|n|] A B; cbn in A, B; unfold won, lost, drawn in A, B.
  - f_equal. apply (least_is_unique (fun k => won_within k p)); tauto.
  - destruct (not_both n m p); tauto.
  - destruct (B m). tauto.
  - destruct (not_both m n p); tauto.
  - f_equal. apply (least_is_unique (fun k => lost_within k p)); tauto.
  - destruct (B m). tauto.
  - destruct (A n). tauto.
  - destruct (A n). tauto.
  - reflexivity.
Qed.

(* A stalemate, a position without moves that has not ended, is a draw. *)
Theorem stalemate_is_drawn : forall p, ended g p = false -> moves g p = [] -> drawn p.
Proof.
  intros p E M [|n].
  - rewrite lost_within_0. split; [congruence|exact (fun W => W)].
  - rewrite lost_within_S, won_within_S, M. split; [intros [H|[H _]]; congruence|intros [_ [q [[] _]]]].
Qed.

(* The same definitions as functions, which compute the answer for small n. *)
Fixpoint is_lost_within (n : nat) (p : position) : bool :=
  ended g p ||
  match n with
  | 0 => false
  | S m => match moves g p with [] => false | _ => forallb (is_won_within m) (moves g p) end
  end
with is_won_within (n : nat) (p : position) : bool :=
  match n with
  | 0 => false
  | S m => negb (ended g p) && existsb (is_lost_within m) (moves g p)
  end.

Lemma is_within : forall n (p : position),
  (is_lost_within n p = true <-> lost_within n p) /\ (is_won_within n p = true <-> won_within n p).
Proof.
  intros n. induction n as [|n IH]; intros p.
  - cbn. rewrite orb_false_r. split; split; intros; try discriminate; tauto.
  - split.
    + rewrite lost_within_S. cbn [is_lost_within]. rewrite orb_true_iff. apply or_iff_compat_l.
      assert (A : forallb (is_won_within n) (moves g p) = true <-> forall q, In q (moves g p) -> won_within n q).
      { rewrite forallb_forall. split; intros H q I; apply (IH q), H, I. }
      destruct (moves g p); [|rewrite A; split]; intuition congruence.
    + rewrite won_within_S. cbn [is_won_within]. rewrite andb_true_iff, negb_true_iff. apply and_iff_compat_l.
      rewrite existsb_exists. split; intros [q [I H]]; exists q; split; trivial; apply (IH q), H.
Qed.

Lemma lost_within_decidable : forall n p, lost_within n p \/ ~ lost_within n p.
Proof. intros n p. destruct (is_within n p) as [<- _]. destruct (is_lost_within n p); [left|right]; congruence. Qed.

Lemma won_within_decidable : forall n p, won_within n p \/ ~ won_within n p.
Proof. intros n p. destruct (is_within n p) as [_ <-]. destruct (is_won_within n p); [left|right]; congruence. Qed.

(* Values within a number of plies that can be computed. *)
Lemma lost_by_computation : forall n (p : position),
  is_lost_within n p = true -> (match n with 0 => true | S m => negb (is_lost_within m p) end) = true -> lost n p.
Proof.
  intros n p L M. split; [apply is_within, L|]. intros m Lm. destruct n as [|n]; [lia|].
  intros H. apply (lost_within_more m n) in H; [|lia]. apply is_within in H. rewrite H in M. discriminate M.
Qed.

Lemma won_by_computation : forall n (p : position),
  is_won_within n p = true -> (match n with 0 => true | S m => negb (is_won_within m p) end) = true -> won n p.
Proof.
  intros n p W M. split; [apply is_within, W|]. intros m Lm. destruct n as [|n]; [lia|].
  intros H. apply (won_within_more m n) in H; [|lia]. apply is_within in H. rewrite H in M. discriminate M.
Qed.

(* What is decided within n plies has a distance, which is at most n. *)
Lemma least_exists : forall (P : nat -> Prop) n,
  (forall k, P k \/ ~ P k) -> P n -> exists m, m <= n /\ P m /\ forall k, k < m -> ~ P k.
Proof.
  intros P n D. induction n as [n IH] using lt_wf_ind. intros Pn.
  assert (C : (exists k, k < n /\ P k) \/ forall k, k < n -> ~ P k).
  { clear IH Pn. induction n as [|n [[k [L Pk]]|N]].
    - right. intros k L. lia.
    - left. exists k. split; [lia|exact Pk].
    - destruct (D n) as [Pn|Pn]; [left; exists n; split; [lia|exact Pn]|right].
      intros k L. destruct (Nat.eq_dec k n) as [->|]; [exact Pn|apply N; lia]. }
  destruct C as [[k [L Pk]]|N]; [|exists n; auto].
  destruct (IH k L Pk) as [m [Lm H]]. exists m. split; [lia|exact H].
Qed.

Lemma lost_exists : forall n p, lost_within n p -> exists m, m <= n /\ lost m p.
Proof. intros n p. apply (least_exists (fun k => lost_within k p)). intros k. apply lost_within_decidable. Qed.

Lemma won_exists : forall n p, won_within n p -> exists m, m <= n /\ won m p.
Proof. intros n p. apply (least_exists (fun k => won_within k p)). intros k. apply won_within_decidable. Qed.

(* The distance of a win is one ply more than that of the shortest loss which a move leads to. *)
Theorem winner_minimises : forall n p, won (S n) p <->
  ended g p = false /\ (exists q, In q (moves g p) /\ lost n q) /\ forall q m, In q (moves g p) -> lost m q -> n <= m.
Proof.
  intros n p. unfold won. rewrite won_within_S. split.
  - intros [[E [q [I L]]] M].
    assert (A : forall r m, In r (moves g p) -> lost m r -> n <= m).
    { intros r m Ir [Lr _]. destruct (le_lt_dec n m) as [H|H]; [exact H|].
      destruct (M (S m)); [lia|]. rewrite won_within_S. eauto. }
    split; [exact E|]. split; [|exact A]. destruct (lost_exists n q L) as [m [Lm Lq]].
    assert (n <= m) by (apply (A q); assumption). replace n with m by lia. eauto.
  - intros [E [[q [I [L _]]] A]]. split; [eauto|]. intros m Lm W.
    destruct m as [|m]; [exact W|]. rewrite won_within_S in W. destruct W as [_ [r [Ir Lr]]].
    destruct (lost_exists m r Lr) as [k [Lk Lr']]. specialize (A r k Ir Lr'). lia.
Qed.

(* The distance of a loss is one ply more than that of the longest win which a move leads to. *)
Theorem loser_maximises : forall n p, lost (S n) p <->
  ended g p = false /\ (forall q, In q (moves g p) -> exists m, m <= n /\ won m q) /\
  exists q, In q (moves g p) /\ won n q.
Proof.
  intros n p. unfold lost. rewrite lost_within_S. split.
  - intros [[E|[N A]] M].
    + destruct (M 0); [lia|]. apply lost_within_0, E.
    + assert (E : ended g p = false).
      { destruct (ended g p) eqn:E; [|reflexivity]. destruct (M 0); [lia|]. apply lost_within_0, E. }
      assert (A' : forall q, In q (moves g p) -> exists m, m <= n /\ won m q) by (intros; apply won_exists, A; trivial).
      split; [exact E|]. split; [exact A'|]. destruct n as [|n].
      * destruct (moves g p) as [|q rest]; [congruence|]. destruct (A q (or_introl eq_refl)).
      * (* If all of these wins were shorter, the loss would be shorter too. *)
        assert (C : existsb (fun q => negb (is_won_within n q)) (moves g p) = true).
        { destruct (existsb _ (moves g p)) eqn:X; [reflexivity|]. destruct (M (S n)); [lia|].
          rewrite lost_within_S. right. split; [exact N|]. intros q I.
          destruct (is_won_within n q) eqn:W; [apply is_within, W|].
          assert (existsb (fun q => negb (is_won_within n q)) (moves g p) = true); [|congruence].
          apply existsb_exists. exists q. rewrite W. auto. }
        apply existsb_exists in C. destruct C as [q [I W]]. apply negb_true_iff in W.
        exists q. split; [exact I|]. split; [apply A, I|]. intros m L H.
        apply (won_within_more m n) in H; [|lia]. apply is_within in H. congruence.
  - intros [E [A [q [I [W Mq]]]]]. split.
    + right. split; [intros N; rewrite N in I; exact I|]. intros r Ir. destruct (A r Ir) as [m [L [H _]]].
      apply (won_within_more m); assumption.
    + intros m L H. destruct m as [|m]; [rewrite lost_within_0 in H; congruence|].
      rewrite lost_within_S in H. destruct H as [H|[_ H]]; [congruence|]. apply (Mq m); [lia|auto].
Qed.

End Values.
