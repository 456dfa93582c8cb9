(* The list of the legal positions of a board is complete, each is in it once, and no move leads out of it. *)

Require Import Arith Bool Lia List.
From Proof Require Import Game Neutreeko.
Import ListNotations.

(* ---- the list ---- *)

(* The lists of k elements of a list, in its order. *)
Fixpoint choose {A : Type} (k : nat) (l : list A) : list (list A) :=
  match k with
  | 0 => [[]]
  | S m => match l with
    | [] => []
    | s :: rest => map (cons s) (choose m rest) ++ choose k rest
    end
  end.

(* All configurations, the squares of one side. *)
Definition configurations (b : board) : list (list square) := choose (pieces b) (squares (on b)).

Definition is_legal (b : board) (p : placement) : bool :=
  forallb (fun s => negb (mem s (snd p))) (fst p) && negb (has_line b (fst p)).

Definition legal_positions (b : board) : list placement :=
  filter (is_legal b) (list_prod (configurations b) (configurations b)).

(* ---- squares ---- *)

Lemma same_iff : forall s t, same s t = true <-> s = t.
Proof.
  intros [f r] [f' r']. unfold same. cbn. rewrite andb_true_iff, !Nat.eqb_eq. intuition congruence.
Qed.

Lemma mem_iff : forall s side, mem s side = true <-> In s side.
Proof.
  intros s side. induction side as [|t rest IH]; cbn; [intuition discriminate|].
  rewrite orb_true_iff, same_iff, IH. split; (intros [E|I]; [left; congruence|right; exact I]).
Qed.

Lemma before_iff : forall s t, before s t = true <-> snd s < snd t \/ snd s = snd t /\ fst s < fst t.
Proof.
  intros s t. unfold before. rewrite orb_true_iff, andb_true_iff, !Nat.ltb_lt, Nat.eqb_eq. reflexivity.
Qed.

Lemma before_irreflexive : forall s, before s s <> true.
Proof. intros s. rewrite before_iff. lia. Qed.

Lemma before_transitive : forall s t u, before s t = true -> before t u = true -> before s u = true.
Proof. intros s t u. rewrite !before_iff. lia. Qed.

Lemma before_total : forall s t, before s t = false -> s <> t -> before t s = true.
Proof.
  intros [f r] [f' r'] B N. rewrite before_iff. cbn.
  assert (A : ~ before (f, r) (f', r') = true) by congruence. rewrite before_iff in A. cbn in A.
  destruct (Nat.eq_dec f f') as [->|]; [|lia]. destruct (Nat.eq_dec r r') as [->|]; [congruence|lia].
Qed.

Lemma in_squares : forall g s, In s (squares g) <-> on_grid g s.
Proof.
  intros g [f r]. unfold squares, on_grid. rewrite in_flat_map. cbn. split.
  - intros [r' [Ir If]]. apply in_map_iff in If. destruct If as [f' [E If]]. rewrite in_seq in *.
    injection E as -> ->. lia.
  - intros [F R]. exists r. rewrite in_seq. split; [lia|]. apply in_map_iff. exists f. rewrite in_seq.
    split; [reflexivity|lia].
Qed.

(* ---- lists in order ---- *)

Lemma in_order_app : forall l k, in_order l -> in_order k ->
  (forall s t, In s l -> In t k -> before s t = true) -> in_order (l ++ k).
Proof.
  induction l as [|s l IH]; intros k L K A; cbn; [exact K|]. destruct L as [S L]. split.
  - intros t I. apply in_app_or in I. destruct I as [I|I]; [exact (S t I)|apply A; [left; reflexivity|exact I]].
  - apply IH; [exact L|exact K|]. intros u t Iu It. apply A; [right; exact Iu|exact It].
Qed.

Lemma squares_in_order : forall g, in_order (squares g).
Proof.
  intros [w h]. unfold squares. cbn.
  assert (R : forall n file rank, in_order (map (fun f => (f, rank)) (seq file n))).
  { induction n as [|n IH]; intros file rank; cbn; [exact I|]. split; [|apply IH].
    intros t It. apply in_map_iff in It. destruct It as [f [<- If]]. rewrite in_seq in If.
    rewrite before_iff. cbn. lia. }
  enough (H : forall n rank, in_order (flat_map (fun r => map (fun f => (f, r)) (seq 0 w)) (seq rank n))) by apply H.
  induction n as [|n IH]; intros rank; cbn; [exact I|]. apply in_order_app; [apply R|apply IH|].
  intros s t Is It. apply in_map_iff in Is. destruct Is as [f [<- _]]. apply in_flat_map in It.
  destruct It as [r [Ir It]]. apply in_map_iff in It. destruct It as [f' [<- _]]. rewrite in_seq in Ir.
  rewrite before_iff. cbn. lia.
Qed.

Lemma filter_in_order : forall keep l, in_order l -> in_order (filter keep l).
Proof.
  intros keep. induction l as [|s l IH]; intros O; cbn; [exact I|]. destruct O as [S O].
  destruct (keep s); [|exact (IH O)]. split; [|exact (IH O)]. intros t It. apply filter_In in It. apply S, It.
Qed.

Lemma not_in_rest : forall s rest, in_order (s :: rest) -> ~ In s rest.
Proof. intros s rest [S _] I. exact (before_irreflexive s (S s I)). Qed.

Lemma in_order_nodup : forall l, in_order l -> NoDup l.
Proof.
  induction l as [|s l IH]; intros O; constructor; [apply not_in_rest, O|apply IH, O].
Qed.

(* ---- choose ---- *)

Lemma in_choose : forall l k c, in_order l ->
  (In c (choose k l) <-> length c = k /\ in_order c /\ forall s, In s c -> In s l).
Proof.
  induction l as [|s l IH]; intros [|k] c O; cbn.
  - split.
    + intros [<-|[]]. cbn. tauto.
    + intros [L _]. left. symmetry. apply length_zero_iff_nil, L.
  - split; [tauto|]. intros [L [_ A]]. destruct c as [|t c]; [discriminate|]. exact (A t (or_introl eq_refl)).
  - split.
    + intros [<-|[]]. cbn. tauto.
    + intros [L _]. left. symmetry. apply length_zero_iff_nil, L.
  - pose proof O as [S O']. rewrite in_app_iff, in_map_iff, (IH (Datatypes.S k) c O'). split.
    + intros [[d [<- Id]]|[L [C A]]].
      * apply (IH k d O') in Id. destruct Id as [L [D A]]. cbn. repeat split.
        -- congruence.
        -- intros t It. apply S, A, It.
        -- exact D.
        -- intros t [<-|It]; [left; reflexivity|right; exact (A t It)].
      * repeat split; trivial. intros t It. right. exact (A t It).
    + intros [L [C A]]. destruct c as [|t c]; [discriminate|]. destruct C as [T C].
      destruct (A t (or_introl eq_refl)) as [<-|It].
      * (* The first one is chosen; the others are after it, so in the rest. *)
        left. exists c. split; [reflexivity|]. apply (IH k c O'). cbn in L. repeat split; [lia|exact C|].
        intros u Iu. destruct (A u (or_intror Iu)) as [<-|H]; [|exact H].
        destruct (before_irreflexive s (T s Iu)).
      * right. split; [exact L|]. split; [split; assumption|]. intros u [<-|Iu]; [exact It|].
        destruct (A u (or_intror Iu)) as [<-|H]; [|exact H].
        destruct (before_irreflexive s). apply (before_transitive s t s); [exact (S t It)|exact (T s Iu)].
Qed.

Lemma nodup_map : forall A B (f : A -> B) l, (forall x y, f x = f y -> x = y) -> NoDup l -> NoDup (map f l).
Proof.
  intros A B f l F N. induction N as [|x l I N IH]; cbn; constructor; [|exact IH].
  intros H. apply in_map_iff in H. destruct H as [y [E Iy]]. apply F in E. subst. contradiction.
Qed.

Lemma nodup_app : forall A (l k : list A), NoDup l -> NoDup k -> (forall x, In x l -> ~ In x k) -> NoDup (l ++ k).
Proof.
  intros A l k L K D. induction L as [|x l I L IH]; cbn; [exact K|]. constructor.
  - intros H. apply in_app_or in H. destruct H as [H|H]; [contradiction|exact (D x (or_introl eq_refl) H)].
  - apply IH. intros y Iy. apply D. right. exact Iy.
Qed.

Lemma choose_nodup : forall l k, in_order l -> NoDup (choose k l).
Proof.
  induction l as [|s l IH]; intros [|k] O; cbn; try (repeat constructor; intros []).
  pose proof O as [S O']. apply nodup_app.
  - apply nodup_map; [congruence|]. apply IH, O'.
  - apply IH, O'.
  - intros c M I. apply in_map_iff in M. destruct M as [d [<- _]].
    apply (in_choose l (Datatypes.S k) _ O') in I. destruct I as [_ [_ A]].
    exact (not_in_rest s l O (A s (or_introl eq_refl))).
Qed.

(* ---- the list is complete ---- *)

Lemma in_configurations : forall b side, In side (configurations b) <-> is_side b side.
Proof.
  intros b side. unfold configurations, is_side. rewrite (in_choose _ _ _ (squares_in_order (on b))).
  split; intros [L [O A]]; repeat split; trivial; try (apply in_squares; auto); intros s I; apply in_squares; auto.
Qed.

Theorem legal_positions_complete : forall b p, In p (legal_positions b) <-> legal b p.
Proof.
  intros b [mover other]. unfold legal_positions, is_legal, legal, placement.
  rewrite filter_In, in_prod_iff, !in_configurations, andb_true_iff, forallb_forall, negb_true_iff. cbn.
  assert (D : forall s, negb (mem s other) = true <-> ~ In s other).
  { intros s. rewrite negb_true_iff, <- mem_iff. destruct (mem s other); intuition congruence. }
  firstorder.
Qed.

(* No position is counted twice. *)
Theorem legal_positions_once : forall b, NoDup (legal_positions b).
Proof.
  intros b. assert (C : NoDup (configurations b)) by apply choose_nodup, squares_in_order. apply NoDup_filter.
  enough (P : forall l, NoDup l -> NoDup (list_prod l (configurations b))) by exact (P _ C).
  intros l N. induction N as [|mover rest M N IH]; cbn; [constructor|]. apply nodup_app; [|exact IH|].
  - apply nodup_map; [congruence|exact C].
  - intros p I R. apply in_map_iff in I. destruct I as [other [<- _]]. apply in_prod_iff in R. tauto.
Qed.

(* ---- moves stay in the list ---- *)

Lemma step_on_grid : forall size d n m, n < size -> step_from size d n = Some m -> m < size.
Proof.
  intros size d n m L H. destruct d; unfold step_from in H.
  - destruct n as [|k]; [discriminate|]. injection H as <-. lia.
  - injection H as <-. exact L.
  - destruct (S n <? size) eqn:E; [|discriminate]. injection H as <-. apply Nat.ltb_lt, E.
Qed.

Lemma next_on_grid : forall g d s t, on_grid g s -> next g d s = Some t -> on_grid g t.
Proof.
  intros g d s t [F R] N. unfold next in N. destruct (step_from (width g) _ _) eqn:SF; [|discriminate].
  destruct (step_from (height g) _ _) eqn:SR; [|discriminate]. injection N as <-.
  split; [exact (step_on_grid _ _ _ _ F SF)|exact (step_on_grid _ _ _ _ R SR)].
Qed.

(* A piece that moves stops on a free square of the board. *)
Lemma slide_lands : forall g occupied d limit s, on_grid g s ->
  let t := slide g occupied d limit s in t = s \/ on_grid g t /\ ~ In t occupied.
Proof.
  intros g occupied d limit. induction limit as [|limit IH]; intros s G; [left; reflexivity|]. cbn.
  destruct (next g d s) as [t|] eqn:N; [|left; reflexivity].
  destruct (mem t occupied) eqn:M; [left; reflexivity|]. right.
  pose proof (next_on_grid g d s t G N) as T. destruct (IH t T) as [->|H]; [|exact H].
  split; [exact T|]. rewrite <- mem_iff. congruence.
Qed.

(* The limit is never reached: a slide ends at the edge or before a piece. *)
Lemma slide_stops : forall g occupied d s, on_grid g s -> d <> (Stay, Stay) ->
  let t := slide g occupied d (width g + height g) s in
  match next g d t with None => True | Some u => In u occupied end.
Proof.
  intros g occupied d s G D.
  (* The number of steps that the board has room for in one of the two coordinates that change. *)
  pose (room := fun size step n => match step with Back => n | Stay => size | Ahead => size - S n end).
  assert (H : forall limit s, on_grid g s ->
    room (width g) (fst d) (fst s) <= limit /\ fst d <> Stay \/
    room (height g) (snd d) (snd s) <= limit /\ snd d <> Stay ->
    match next g d (slide g occupied d limit s) with None => True | Some u => In u occupied end).
  { clear s G. induction limit as [|limit IH]; intros s G L; cbn.
    - unfold next. destruct (step_from (width g) _ _) as [f|] eqn:SF; [|exact I].
      destruct (step_from (height g) _ _) as [r|] eqn:SR; [|exact I]. exfalso. destruct G as [GF GR].
      destruct L as [[L N]|[L N]].
      + destruct (fst d); unfold room in L; unfold step_from in SF; [|congruence|].
        * destruct (fst s); [discriminate|lia].
        * destruct (S (fst s) <? width g) eqn:E; [apply Nat.ltb_lt in E; lia|discriminate].
      + destruct (snd d); unfold room in L; unfold step_from in SR; [|congruence|].
        * destruct (snd s); [discriminate|lia].
        * destruct (S (snd s) <? height g) eqn:E; [apply Nat.ltb_lt in E; lia|discriminate].
    - destruct (next g d s) as [t|] eqn:N; [|rewrite N; exact I].
      destruct (mem t occupied) eqn:M; [rewrite N; apply mem_iff, M|].
      apply IH; [exact (next_on_grid g d s t G N)|]. unfold next in N.
      destruct (step_from (width g) _ _) as [f|] eqn:SF; [|discriminate].
      destruct (step_from (height g) _ _) as [r|] eqn:SR; [|discriminate]. injection N as <-. cbn [fst snd].
      destruct L as [[L N]|[L N]]; [left|right]; (split; [|exact N]).
      + destruct (fst d); unfold room in *; unfold step_from in SF; [|congruence|].
        * destruct (fst s); [discriminate|]. injection SF as <-. lia.
        * destruct (S (fst s) <? width g); [|discriminate]. injection SF as <-. lia.
      + destruct (snd d); unfold room in *; unfold step_from in SR; [|congruence|].
        * destruct (snd s); [discriminate|]. injection SR as <-. lia.
        * destruct (S (snd s) <? height g); [|discriminate]. injection SR as <-. lia. }
  apply H; [exact G|]. destruct G as [GF GR]. destruct d as [[] []]; cbn; try congruence;
    first [left; split; [lia|discriminate]|right; split; [lia|discriminate]].
Qed.

Lemma in_insert : forall s l t, In t (insert s l) <-> t = s \/ In t l.
Proof.
  intros s l t. assert (E : s = t <-> t = s) by (split; congruence). induction l as [|u l IH]; cbn; [tauto|].
  destruct (before s u); cbn; tauto.
Qed.

Lemma insert_in_order : forall s l, in_order l -> ~ In s l -> in_order (insert s l).
Proof.
  intros s. induction l as [|u l IH]; intros O N; cbn; [split; [intros t []|exact I]|].
  destruct O as [U O]. destruct (before s u) eqn:B.
  - split; [|split; assumption]. intros t [<-|It]; [exact B|]. exact (before_transitive s u t B (U t It)).
  - split; [|apply IH; [exact O|]; intros H; apply N; right; exact H].
    intros t It. apply in_insert in It. destruct It as [->|It]; [|exact (U t It)].
    apply before_total; [exact B|]. intros ->. apply N. left. reflexivity.
Qed.

Lemma insert_length : forall s l, length (insert s l) = S (length l).
Proof. intros s. induction l as [|u l IH]; cbn; [reflexivity|]. destruct (before s u); cbn; lia. Qed.

Lemma in_remove : forall s l t, In t (remove s l) <-> In t l /\ t <> s.
Proof.
  intros s l t. unfold remove. rewrite filter_In, negb_true_iff. pose proof (same_iff s t) as E.
  assert (C : s = t <-> t = s) by (split; congruence). rewrite C in E. destruct (same s t).
  - assert (T : t = s) by (apply E; reflexivity). split; [intros [_ H]; discriminate H|tauto].
  - split; intros [I N]; (split; [exact I|]); [|reflexivity]. intros T. apply E in T. discriminate T.
Qed.

Lemma remove_absent : forall s l, ~ In s l -> remove s l = l.
Proof.
  intros s. induction l as [|u l IH]; intros N; cbn; [reflexivity|].
  destruct (same s u) eqn:E; cbn.
  - apply same_iff in E. destruct N. left. congruence.
  - f_equal. apply IH. intros H. apply N. right. exact H.
Qed.

Lemma remove_length : forall s l, in_order l -> In s l -> S (length (remove s l)) = length l.
Proof.
  intros s. induction l as [|u l IH]; intros O Is; [destruct Is|]. cbn. destruct (same s u) eqn:E; cbn.
  - apply same_iff in E. subst u. fold (remove s l). rewrite remove_absent; [reflexivity|]. apply not_in_rest, O.
  - f_equal. apply IH; [apply O|]. destruct Is as [->|Is]; [|exact Is].
    assert (same s s = true) by (apply same_iff; reflexivity). congruence.
Qed.

(* A move leads to a legal position, unless the game is over. *)
Theorem legal_closed : forall b p q,
  legal b p -> ended (neutreeko b) p = false -> In q (moves (neutreeko b) p) -> legal b q.
Proof.
  intros b [mover other] q [[L [O G]] [[L' [O' G']] [D N]]] W M.
  cbn in W. change (In q (positions_after b (mover, other))) in M. unfold positions_after in M.
  apply in_flat_map in M. destruct M as [s [Is M]]. apply in_flat_map in M. destruct M as [d [_ M]].
  unfold slides in M. cbn [fst] in Is.
  pose proof (slide_lands (on b) (mover ++ other) d (width (on b) + height (on b)) s (G s Is)) as T. cbn zeta in T.
  destruct (same s _) eqn:E; [destruct M|]. destruct M as [<-|[]].
  set (t := slide (on b) (mover ++ other) d (width (on b) + height (on b)) s) in *.
  destruct T as [T|[T F]]; [rewrite T in E; assert (same s s = true) by (apply same_iff; reflexivity); congruence|].
  assert (F1 : ~ In t mover) by (intros H; apply F, in_or_app; left; exact H).
  assert (F2 : ~ In t other) by (intros H; apply F, in_or_app; right; exact H).
  assert (R : ~ In t (remove s mover)) by (rewrite in_remove; tauto).
  split; [exact (conj L' (conj O' G'))|]. split; [|split; [|exact W]].
  - split; [rewrite insert_length, remove_length; assumption|]. split.
    + apply insert_in_order; [apply filter_in_order, O|exact R].
    + intros u Iu. apply in_insert in Iu. destruct Iu as [->|Iu]; [exact T|]. apply in_remove in Iu. apply G, Iu.
  - intros u Io Iu. apply in_insert in Iu. destruct Iu as [->|Iu]; [contradiction|].
    apply in_remove in Iu. exact (D u (proj1 Iu) Io).
Qed.
