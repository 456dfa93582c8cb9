(* A checker that is fast in Coq's virtual machine: configurations are bit masks in primitive integers of 63 bits, and a
   table is an array of integers. *)

Require Import Arith Bool Lia List NArith ZArith Uint63 PArray ZifyUint63.
From Proof Require Import Game Local Neutreeko Complete.
Import ListNotations.
Local Open Scope uint63_scope.

(* ---- values in a table ---- *)

(* The code of a value, from 0 to 127. The smaller the code, the worse it is for the side to move. *)
Fixpoint nat_of (limit : nat) (i : int) : nat :=
  match limit with
  | 0%nat => 0%nat
  | S less => if i =? 0 then 0%nat else S (nat_of less (i - 1))
  end.

Definition value_of_code (code : int) : value :=
  if code <? 63 then Lost (nat_of 63 code) else if code =? 63 then Drawn else Won (nat_of 63 (127 - code)).

(* Whether a code follows from the least code after the moves. *)
Definition follows_from (least code : int) : bool :=
  if least <? 63 then code =? 126 - least
  else if least =? 63 then code =? 63
  else (code =? 128 - least) && (code <? 63).

(* A row has the codes of all positions with the same configuration of the side to move, in the order of the
   configurations of the opponent, nine in each integer. What is proved does not depend on how codes are stored. *)
Definition code_in (row : array int) (number : int) : int := (row.[number / 9] >> (7 * (number mod 9))) mod 128.

Section Board.

Variable b : board.

(* ---- configurations as masks ---- *)

Definition bit (s : square) : int := 1 << of_Z (Z.of_nat (snd s * width (on b) + fst s)).

Definition mask (side : list square) : int := fold_right (fun s m => bit s lor m) 0 side.

(* The number of each configuration, in an array of arrays: by the higher bits of its mask, then by the others. *)
Definition set_number (numbers : array (array int)) (m number : int) : array (array int) :=
  numbers.[m >> 13 <- (copy numbers.[m >> 13]).[m land 8191 <- number]].

Definition get_number (numbers : array (array int)) (m : int) : int := numbers.[m >> 13].[m land 8191].

Definition numbers : array (array int) :=
  let size := 1 + (1 << of_Z (Z.of_nat (List.length (squares (on b)))) >> 13) in
  fst (fold_left (fun '(all, number) side => (set_number all (mask side) number, number + 1))
    (configurations b) (make size (make 8192 0), 0)).

(* ---- moves ---- *)

(* The squares in a direction, up to the edge. *)
Fixpoint ray (d : direction) (limit : nat) (s : square) : list square :=
  match limit, next (on b) d s with
  | S less, Some t => t :: ray d less t
  | _, _ => []
  end.

(* What the checker needs of a configuration. *)
Record configuration := {
  side : list square;
  bits : int;
  number : int;
  wins : bool;
  slides_of : list (int * list (list int)) (* for each piece: the other pieces, and the rays *)
}.

Definition prepare (numbers : array (array int)) (side : list square) : configuration := {|
  side := side;
  bits := mask side;
  number := get_number numbers (mask side);
  wins := has_line b side;
  slides_of := map (fun s =>
    (mask (remove s side), map (fun d => map bit (ray d (width (on b) + height (on b)) s)) directions)) side
|}.

(* The last free square of a ray, or else `last`. *)
Fixpoint walk (occupied last : int) (ray : list int) : int :=
  match ray with
  | t :: rest => if occupied land t =? 0 then walk occupied t rest else last
  | [] => last
  end.

(* The configurations of the side that has moved. *)
Definition after (occupied : int) (slides : list (int * list (list int))) : list int :=
  flat_map (fun '(others, rays) => flat_map (fun ray =>
    let t := walk occupied 0 ray in if t =? 0 then [] else [t lor others]) rays) slides.

(* ---- the checker ---- *)

Variable rows : array (array int).

Definition least (codes : list int) : option int :=
  match codes with
  | [] => None
  | code :: rest => Some (fold_left (fun a c => if c <? a then c else a) rest code)
  end.

Definition code_of (mover other : configuration) : int := code_in rows.[number mover] (number other).

Definition agree (numbers : array (array int)) (mover other : configuration) : bool :=
  let code := code_of mover other in
  if wins other then code =? 0
  else
    let row := rows.[number other] in
    let moves := after (bits mover lor bits other) (slides_of mover) in
    match least (map (fun m => code_in row (get_number numbers m)) moves) with
    | None => code =? 63
    | Some least => follows_from least code
    end.

Definition together (mover other : configuration) : bool := (bits mover land bits other =? 0) && negb (wins mover).

Fixpoint first {A B : Type} (f : A -> option B) (l : list A) : option B :=
  match l with
  | [] => None
  | x :: rest => match f x with Some y => Some y | None => first f rest end
  end.

(* The first legal position whose value does not agree with those after its moves. *)
Definition first_wrong_position : option placement :=
  let all := numbers in
  let sides := map (prepare all) (configurations b) in
  first (fun mover => first (fun other =>
    if together mover other && negb (agree all mover other) then Some (side mover, side other) else None) sides) sides.

Fixpoint count_pairs {A B : Type} (f : A -> B -> bool) (l : list A) (k : list B) (n : N) : N :=
  match l with
  | [] => n
  | x :: rest => count_pairs f rest k (fold_left (fun n y => if f x y then N.succ n else n) k n)
  end.

(* The number of legal positions with such a value. *)
Definition count (such : value -> bool) : N :=
  let all := numbers in
  let sides := map (prepare all) (configurations b) in
  count_pairs (fun mover other => together mover other && such (value_of_code (code_of mover other))) sides sides 0%N.

(* The value of a position in the table. *)
Definition value_in : placement -> value :=
  let all := numbers in
  fun p => value_of_code (code_in rows.[get_number all (mask (fst p))] (get_number all (mask (snd p)))).

(* ---- codes ---- *)

Lemma nat_of_is : forall limit i, (φ i <= Z.of_nat limit)%Z -> Z.of_nat (nat_of limit i) = φ i.
Proof.
  induction limit as [|limit IH]; intros i L; cbn [nat_of]; [lia|].
  destruct (i =? 0) eqn:E; [lia|]. rewrite Nat2Z.inj_succ, IH; lia.
Qed.

Lemma value_of_code_is : forall c, (φ c < 128)%Z ->
  match value_of_code c with
  | Lost n => φ c = Z.of_nat n /\ (φ c < 63)%Z
  | Drawn => φ c = 63%Z
  | Won n => φ c = (127 - Z.of_nat n)%Z /\ (φ c > 63)%Z
  end.
Proof.
  intros c L. unfold value_of_code. destruct (c <? 63) eqn:A; [|destruct (c =? 63) eqn:B].
  - rewrite nat_of_is; lia.
  - lia.
  - rewrite nat_of_is; lia.
Qed.

Lemma code_is_small : forall row number, (φ (code_in row number) < 128)%Z.
Proof. intros row number. unfold code_in. rewrite mod_spec. apply Z.mod_pos_bound. reflexivity. Qed.

Lemma least_is : forall codes,
  match least codes with
  | None => codes = []
  | Some m => In m codes /\ forall c, In c codes -> (φ m <= φ c)%Z
  end.
Proof.
  intros [|a codes]; [reflexivity|]. cbn [least].
  set (m := fold_left (fun a c => if c <? a then c else a) codes a).
  enough (H : (m = a \/ In m codes) /\ (φ m <= φ a)%Z /\ forall c, In c codes -> (φ m <= φ c)%Z).
  { destruct H as [I [A C]]. split; [destruct I as [->|I]; cbn; auto|]. intros c [<-|J]; auto. }
  subst m. revert a. induction codes as [|c codes IH]; intros a; cbn [fold_left]; [cbn; repeat split; auto; lia|].
  destruct (IH (if c <? a then c else a)) as [I [A C]]. destruct (c <? a) eqn:E.
  - repeat split; [destruct I as [->|I]; cbn; auto|lia|]. intros d [<-|J]; [exact A|exact (C d J)].
  - repeat split; [destruct I as [->|I]; cbn; auto|exact A|]. intros d [<-|J]; [lia|exact (C d J)].
Qed.

(* The condition on codes implies that on values. *)
Lemma follows_in_codes : forall {position} (g : game position) table p (c : position -> int) code,
  (forall q, table q = value_of_code (c q) /\ (φ (c q) < 128)%Z) -> table p = value_of_code code -> (φ code < 128)%Z ->
  match least (map c (moves g p)) with None => code =? 63 | Some m => follows_from m code end = true ->
  follows g table p.
Proof.
  intros position g table p c code C T L F. unfold follows. rewrite T.
  pose proof (value_of_code_is code L) as V. pose proof (least_is (map c (moves g p))) as M.
  destruct (least _) as [m|].
  2: { apply map_eq_nil in M. rewrite M. destruct (value_of_code code); [lia|lia|]. cbn. tauto. }
  destruct M as [I A]. apply in_map_iff in I. destruct I as [q [<- I]].
  assert (B : forall r, In r (moves g p) -> (φ (c q) <= φ (c r))%Z) by (intros r J; apply A, in_map, J). clear A.
  assert (W : forall r, match table r with
    | Lost n => φ (c r) = Z.of_nat n /\ (φ (c r) < 63)%Z
    | Drawn => φ (c r) = 63%Z
    | Won n => φ (c r) = (127 - Z.of_nat n)%Z /\ (φ (c r) > 63)%Z
    end) by (intros r; destruct (C r) as [-> S]; exact (value_of_code_is _ S)).
  unfold follows_from in F. pose proof (W q) as Q.
  destruct (c q <? 63) eqn:E1; [|destruct (c q =? 63) eqn:E2; [|apply andb_true_iff in F; destruct F as [F G]]].
  - destruct (value_of_code code) as [n|n|]; [|lia|lia]. destruct (table q) as [k|k|] eqn:Tq; [lia| |lia].
    exists k, q. repeat split; trivial; [lia|]. intros r j J R. specialize (W r). rewrite R in W.
    specialize (B r J). lia.
  - destruct (value_of_code code) as [n|n|]; [lia|lia|]. destruct (table q) as [k|k|] eqn:Tq; [lia|lia|]. split.
    + intros r n J R. specialize (W r). rewrite R in W. specialize (B r J). lia.
    + right. eauto.
  - destruct (value_of_code code) as [n|n|]; [lia| |lia]. destruct (table q) as [k|k|] eqn:Tq; [|lia|lia].
    exists k, q. repeat split; trivial; [lia|]. intros r J. specialize (W r). specialize (B r J).
    destruct (table r) as [j|j|]; [|lia|lia]. exists j. split; [reflexivity|lia].
Qed.

(* ---- masks ---- *)

Local Arguments bit : simpl never.
Local Arguments mask : simpl never.

(* The bits of two squares of the board are the same only if the squares are. Computed for each board. *)
Definition bits_are_distinct : bool :=
  forallb (fun s => forallb (fun t => Bool.eqb (bit s land bit t =? 0) (negb (same s t))) (squares (on b)))
    (squares (on b)).

Hypothesis distinct : bits_are_distinct = true.

Lemma bit_land_bit : forall s t, on_grid (on b) s -> on_grid (on b) t ->
  (bit s land bit t =? 0) = negb (same s t).
Proof.
  intros s t S T. apply in_squares in S, T. unfold bits_are_distinct in distinct.
  rewrite forallb_forall in distinct. specialize (distinct s S). rewrite forallb_forall in distinct.
  apply eqb_prop, distinct, T.
Qed.

Lemma bit_is_not_0 : forall s, on_grid (on b) s -> (bit s =? 0) = false.
Proof.
  intros s S. destruct (bit s =? 0) eqn:E; [|reflexivity]. apply eqb_spec in E.
  pose proof (bit_land_bit s s S S) as B. rewrite E, (proj2 (same_iff s s) eq_refl) in B. discriminate B.
Qed.

Lemma lor_land : forall x y z, ((x lor y) land z =? 0) = (x land z =? 0) && (y land z =? 0).
Proof.
  intros x y z. apply eq_true_iff_eq. rewrite andb_true_iff, !eqb_spec. split.
  - intros E. split; apply bit_ext; intros n; apply (f_equal (fun i => Uint63.bit i n)) in E; revert E;
      rewrite !land_spec, !lor_spec, !bit_0; destruct (Uint63.bit x n), (Uint63.bit y n), (Uint63.bit z n); auto.
  - intros [X Y]. apply bit_ext. intros n. apply (f_equal (fun i => Uint63.bit i n)) in X, Y. revert X Y.
    rewrite !land_spec, !lor_spec, !bit_0. destruct (Uint63.bit x n), (Uint63.bit y n), (Uint63.bit z n); auto.
Qed.

Lemma mask_cons : forall s side, mask (s :: side) = bit s lor mask side.
Proof. reflexivity. Qed.

Definition all_on_grid (side : list square) : Prop := forall s, In s side -> on_grid (on b) s.

Lemma mask_land_bit : forall side s, all_on_grid side -> on_grid (on b) s ->
  (mask side land bit s =? 0) = negb (mem s side).
Proof.
  intros side s A S. induction side as [|t side IH]; [change (mask []) with 0; rewrite land0; reflexivity|].
  cbn [mem]. rewrite mask_cons, lor_land, negb_orb, bit_land_bit, IH; auto using in_eq.
  - f_equal. f_equal. apply eq_true_iff_eq. rewrite !same_iff. split; congruence.
  - intros u U. apply A. right. exact U.
Qed.

Lemma mask_land_mask : forall mover other, all_on_grid mover -> all_on_grid other ->
  (mask mover land mask other =? 0) = forallb (fun s => negb (mem s other)) mover.
Proof.
  intros mover other M O. induction mover as [|s mover IH]; [change (mask []) with 0; rewrite land0; reflexivity|].
  cbn [forallb]. rewrite mask_cons, lor_land, landC, mask_land_bit, IH; auto using in_eq.
  intros u U. apply M. right. exact U.
Qed.

Lemma mask_app : forall l k, mask (l ++ k) = mask l lor mask k.
Proof. intros l k. induction l as [|s l IH]; [rewrite lor0; reflexivity|].
  cbn [app]. rewrite !mask_cons, IH, lorA. reflexivity. Qed.

Lemma mask_insert : forall s side, mask (insert s side) = bit s lor mask side.
Proof.
  intros s side. induction side as [|t side IH]; cbn; [reflexivity|]. destruct (before s t); [reflexivity|].
  rewrite !mask_cons, IH, !lorA, (lorC (bit t)). reflexivity.
Qed.

(* ---- moves ---- *)

Lemma walk_is_slide : forall occupied d limit s, all_on_grid occupied -> on_grid (on b) s ->
  walk (mask occupied) (bit s) (map bit (ray d limit s)) = bit (slide (on b) occupied d limit s).
Proof.
  intros occupied d limit s A. revert s. induction limit as [|limit IH]; intros s S; cbn; [reflexivity|].
  destruct (next (on b) d s) as [t|] eqn:N; cbn; [|reflexivity].
  pose proof (next_on_grid _ _ _ _ S N) as T. rewrite mask_land_bit by assumption.
  destruct (mem t occupied); cbn; [reflexivity|apply IH, T].
Qed.

(* A piece on an occupied square, its own, has moved unless it is still there. *)
Lemma walk_from_0 : forall occupied d limit s, all_on_grid occupied -> In s occupied ->
  let t := slide (on b) occupied d limit s in
  walk (mask occupied) 0 (map bit (ray d limit s)) = if same s t then 0 else bit t.
Proof.
  intros occupied d [|limit] s A S t; subst t; cbn; [rewrite (proj2 (same_iff s s) eq_refl); reflexivity|].
  destruct (next (on b) d s) as [u|] eqn:N; cbn; [|rewrite (proj2 (same_iff s s) eq_refl); reflexivity].
  pose proof (next_on_grid _ _ _ _ (A s S) N) as U. rewrite mask_land_bit by assumption.
  destruct (mem u occupied) eqn:M; cbn; [rewrite (proj2 (same_iff s s) eq_refl); reflexivity|].
  rewrite walk_is_slide by assumption. destruct (same s _) eqn:E; [|reflexivity]. exfalso. apply same_iff in E.
  destruct (slide_lands (on b) occupied d limit u U) as [H|[_ H]]; [|apply H; rewrite <- E; exact S].
  apply (mem_iff s occupied) in S. congruence.
Qed.

Lemma after_is_moves : forall numbers mover other, all_on_grid mover -> all_on_grid other ->
  after (mask mover lor mask other) (slides_of (prepare numbers mover)) =
  map (fun q => mask (snd q)) (positions_after b (mover, other)).
Proof.
  intros numbers mover other M O. cbn [slides_of prepare]. unfold after, positions_after. cbn [fst].
  assert (A : all_on_grid (mover ++ other)) by (intros s I; apply in_app_or in I; destruct I; auto).
  rewrite <- mask_app, !flat_map_concat_map, concat_map, !map_map. f_equal. apply map_ext_in. intros s S.
  rewrite !flat_map_concat_map, concat_map, !map_map. f_equal. apply map_ext. intros d.
  rewrite walk_from_0 by (trivial; apply in_or_app; left; exact S). unfold slides.
  set (t := slide _ _ _ _ _). assert (T : t = s \/ on_grid (on b) t) by
    (destruct (slide_lands (on b) (mover ++ other) d (width (on b) + height (on b)) s (M s S)) as [H|[H _]]; auto).
  destruct (same s t) eqn:E; [reflexivity|]. destruct T as [T|T].
  - rewrite T, (proj2 (same_iff s s) eq_refl) in E. discriminate E.
  - rewrite bit_is_not_0 by exact T. cbn. rewrite mask_insert. reflexivity.
Qed.

Lemma opponent_stays : forall p q, In q (positions_after b p) -> fst q = snd p.
Proof.
  intros [mover other] q I. apply in_flat_map in I. destruct I as [s [_ I]]. apply in_flat_map in I.
  destruct I as [d [_ I]]. unfold slides in I. destruct (same s _); [destruct I|]. destruct I as [<-|[]]. reflexivity.
Qed.

(* ---- what the checker accepts is right ---- *)

Lemma agree_is_right : forall mover other, all_on_grid mover -> all_on_grid other ->
  agree numbers (prepare numbers mover) (prepare numbers other) = true ->
  agrees (neutreeko b) value_in (mover, other).
Proof.
  intros mover other M O. unfold agree, agrees. cbn [ended neutreeko snd].
  change (wins (prepare numbers other)) with (has_line b other). destruct (has_line b other).
  - intros E. apply eqb_spec in E. unfold value_in. cbn. unfold code_of in E. cbn in E. rewrite E. reflexivity.
  - change (bits (prepare numbers mover) lor bits (prepare numbers other)) with (mask mover lor mask other).
    rewrite after_is_moves, map_map by assumption.
    pose (c := fun q => code_in rows.[get_number numbers (mask (fst q))] (get_number numbers (mask (snd q)))).
    intros F. apply (follows_in_codes (neutreeko b) value_in _ c (c (mover, other))).
    + intros q. split; [reflexivity|apply code_is_small].
    + reflexivity.
    + apply code_is_small.
    + cbn [moves neutreeko]. erewrite map_ext_in; [exact F|]. intros q I. apply opponent_stays in I.
      unfold c. rewrite I. reflexivity.
Qed.

Lemma first_is_none : forall {A B : Type} (f : A -> option B) l,
  first f l = None -> forall x, In x l -> f x = None.
Proof.
  intros A B f l. induction l as [|x l IH]; cbn; intros N y I; [destruct I|].
  destruct (f x) eqn:F; [discriminate N|]. destruct I as [<-|I]; auto.
Qed.

Lemma together_is_legal : forall mover other, all_on_grid mover -> all_on_grid other ->
  together (prepare numbers mover) (prepare numbers other) = is_legal b (mover, other).
Proof. intros mover other M O. unfold together, is_legal. cbn. rewrite mask_land_mask by assumption. reflexivity. Qed.

Lemma configurations_on_grid : forall side, In side (configurations b) -> all_on_grid side.
Proof. intros side I. apply in_configurations in I. destruct I as [_ [_ G]]. exact G. Qed.

Theorem accepted_is_right : first_wrong_position = None ->
  forall p, legal b p -> has_value (neutreeko b) p (value_in p).
Proof.
  intros N. apply (local_is_right (neutreeko b) value_in (legal b) (legal_closed b)). intros [mover other] L.
  apply legal_positions_complete in L. apply filter_In in L. destruct L as [I L].
  apply in_prod_iff in I. destruct I as [IM IO].
  pose proof (configurations_on_grid mover IM) as M. pose proof (configurations_on_grid other IO) as O.
  unfold first_wrong_position in N. cbn zeta in N.
  pose proof (first_is_none _ _ N _ (in_map (prepare numbers) _ _ IM)) as H.
  pose proof (first_is_none _ _ H _ (in_map (prepare numbers) _ _ IO)) as A. cbn beta in A. clear N H.
  rewrite together_is_legal, L in A by assumption. cbn in A.
  destruct (agree _ _ _) eqn:E; [|discriminate A]. exact (agree_is_right mover other M O E).
Qed.

(* ---- what is counted ---- *)

Lemma count_pairs_is : forall {A B : Type} (h : A -> B) f l k n,
  count_pairs f (map h l) (map h k) n =
  (n + N.of_nat (List.length (filter (fun p => f (h (fst p)) (h (snd p))) (list_prod l k))))%N.
Proof.
  intros A B h f l k. induction l as [|x l IH]; intros n; cbn [list_prod map count_pairs]; [symmetry; apply N.add_0_r|].
  rewrite IH, filter_app, app_length, Nat2N.inj_add, N.add_assoc. f_equal. clear IH. revert n.
  induction k as [|y k IH]; intros n; cbn [map fold_left filter fst snd]; [symmetry; apply N.add_0_r|].
  rewrite IH. destruct (f (h x) (h y)); cbn [List.length]; lia.
Qed.

Lemma filter_filter : forall {A : Type} (f g : A -> bool) l,
  filter g (filter f l) = filter (fun x => f x && g x) l.
Proof.
  intros A f g l. induction l as [|x l IH]; cbn; [reflexivity|]. destruct (f x); cbn; rewrite IH; reflexivity.
Qed.

Theorem count_is : forall such,
  count such = N.of_nat (List.length (filter (fun p => such (value_in p)) (legal_positions b))).
Proof.
  intros such. unfold count, legal_positions. cbn zeta. rewrite count_pairs_is, N.add_0_l, filter_filter.
  f_equal. f_equal. apply filter_ext_in. intros [mover other] I. apply in_prod_iff in I. destruct I as [M O].
  cbn [fst snd]. rewrite together_is_legal by (apply configurations_on_grid; assumption). reflexivity.
Qed.

End Board.
