(* The rule of threefold repetition: a position that occurs for the third time is a draw. As long as no position has
   occurred twice before, the rule changes no value. This holds for every game, because a winner who wins as fast as
   possible never comes back to a position, and draws by repetition only take possibilities away from a winner. *)

Require Import Arith Bool Lia List.
From Proof Require Import Game.
Import ListNotations.

(* Positions of two games that are lost and won within the same numbers of plies have the same value. *)
Lemma same_within_same_value : forall P Q (g : game P) (h : game Q) p q,
  (forall n, lost_within g n p <-> lost_within h n q) -> (forall n, won_within g n p <-> won_within h n q) ->
  forall v, has_value g p v <-> has_value h q v.
Proof.
  intros P Q g h p q L W [n|n|]; cbn; unfold won, lost, drawn.
  - rewrite W. split; intros [A B]; (split; [exact A|]); intros m M; specialize (B m M); rewrite W in *; exact B.
  - rewrite L. split; intros [A B]; (split; [exact A|]); intros m M; specialize (B m M); rewrite L in *; exact B.
  - split; intros A n; specialize (A n); rewrite L, W in *; exact A.
Qed.

Section Threefold.

Context {position : Type} (g : game position).
Variable same_position : forall p q : position, {p = q} + {p <> q}.

(* ---- the game with the rule ---- *)

Definition occurrences (p : position) (history : list position) : nat := count_occ same_position history p.

(* A position of this game is the current position with the earlier ones. Where the current position occurs for the
   third time, there are no moves and nobody has won: a draw. *)
Definition is_third (s : list position * position) : bool := 2 <=? occurrences (snd s) (fst s).

Definition threefold : game (list position * position) := {|
  ended s := negb (is_third s) && ended g (snd s);
  moves s := if is_third s then [] else map (fun q => (snd s :: fst s, q)) (moves g (snd s))
|}.

Arguments is_third : simpl never.

Lemma is_third_iff : forall history p, is_third (history, p) = true <-> 2 <= occurrences p history.
Proof. intros history p. apply Nat.leb_le. Qed.

Lemma is_not_third : forall history p, occurrences p history <= 1 -> is_third (history, p) = false.
Proof. intros history p L. apply Nat.leb_gt. cbn [fst snd]. lia. Qed.

(* A position that occurs for the third time is a draw. *)
Theorem third_is_drawn : forall history p, 2 <= occurrences p history -> drawn threefold (history, p).
Proof. intros history p T. apply is_third_iff in T. apply stalemate_is_drawn; cbn; rewrite T; reflexivity. Qed.

(* ---- with the rule, nobody wins who would not win without ---- *)

Lemma threefold_to_game : forall n history p,
  (lost_within threefold n (history, p) -> lost_within g n p) /\
  (won_within threefold n (history, p) -> won_within g n p).
Proof.
  induction n as [|n IH]; intros history p.
  - rewrite !lost_within_0. split; [|contradiction]. cbn. rewrite andb_true_iff. tauto.
  - rewrite !lost_within_S, !won_within_S. cbn. destruct (is_third (history, p)); cbn.
    + split; [intros [H|[H _]]; congruence|intros [_ [q [[] _]]]].
    + split.
      * intros [E|[N A]]; [left; exact E|right]. split; [intros M; rewrite M in N; apply N; reflexivity|].
        intros q I. apply (IH (p :: history) q). apply A. apply in_map_iff. eauto.
      * intros [E [s [I L]]]. apply in_map_iff in I. destruct I as [q [<- I]]. split; [exact E|].
        exists q. split; [exact I|]. apply (IH (p :: history) q), L.
Qed.

(* ---- who wins without the rule also wins with it, as fast ---- *)

Definition decided_within (n : nat) (p : position) : Prop := lost_within g n p \/ won_within g n p.

(* With n plies to go, the winner only needs positions that are decided within n plies. If none of these has occurred
   twice, the win takes no longer. A ply later this still holds: the position that is left was not decided within the
   smaller number of plies. *)
Lemma game_to_threefold : forall n history p,
  (forall q, decided_within n q -> occurrences q history <= 1) ->
  (lost_within g n p -> lost_within threefold n (history, p)) /\
  (won_within g n p -> won_within threefold n (history, p)).
Proof.
  induction n as [|n IH]; intros history p H.
  - rewrite !lost_within_0. split; [|contradiction]. intros E. cbn.
    rewrite is_not_third; [exact E|]. apply H. left. apply ended_is_lost, E.
  - assert (Less : forall q, decided_within n q -> occurrences q history <= 1).
    { intros q [D|D]; apply H; [left; apply (lost_within_more g n)|right; apply (won_within_more g n)]; auto. }
    assert (After : ~ decided_within n p -> forall q, decided_within n q -> occurrences q (p :: history) <= 1).
    { intros N q D. unfold occurrences. cbn. destruct (same_position p q) as [->|_]; [contradiction|exact (Less q D)]. }
    assert (Here : decided_within (S n) p -> is_third (history, p) = false).
    { intros D. apply is_not_third, H, D. }
    split; intros D.
    + destruct (lost_within_decidable g n p) as [L|N].
      { apply (lost_within_more threefold n); [lia|]. apply (IH history p Less), L. }
      assert (U : ~ decided_within n p) by (intros [L|W]; [exact (N L)|exact (not_both g (S n) n p D W)]).
      rewrite lost_within_S in D. rewrite lost_within_S. cbn. rewrite (Here (or_introl D)). cbn.
      destruct D as [E|[M A]]; [left; exact E|right]. split.
      * intros X. apply M. destruct (moves g p); [reflexivity|discriminate X].
      * intros s I. apply in_map_iff in I. destruct I as [q [<- I]]. apply (IH (p :: history) q (After U)), A, I.
    + destruct (won_within_decidable g n p) as [W|N].
      { apply (won_within_more threefold n); [lia|]. apply (IH history p Less), W. }
      assert (U : ~ decided_within n p) by (intros [L|W]; [exact (not_both g n (S n) p L D)|exact (N W)]).
      rewrite won_within_S in D. rewrite won_within_S. cbn. rewrite (Here (or_intror D)). cbn.
      destruct D as [E [q [I L]]]. split; [exact E|]. exists (p :: history, q). split.
      * apply in_map_iff. eauto.
      * apply (IH (p :: history) q (After U)), L.
Qed.

(* ---- the theorem ---- *)

(* Values with and without the rule agree, as long as no position has occurred twice before. Then it also holds for the
   current position that this is at most its second occurrence. *)
Theorem threefold_keeps_values : forall history p v, (forall q, occurrences q history <= 1) ->
  (has_value threefold (history, p) v <-> has_value g p v).
Proof.
  intros history p v H.
  assert (L : forall n, lost_within threefold n (history, p) <-> lost_within g n p).
  { intros n. split; [apply threefold_to_game|apply game_to_threefold; auto]. }
  assert (W : forall n, won_within threefold n (history, p) <-> won_within g n p).
  { intros n. split; [apply threefold_to_game|apply game_to_threefold; auto]. }
  exact (same_within_same_value _ _ _ _ _ _ L W v).
Qed.

(* In particular, positions without a history. *)
Corollary threefold_keeps_first_values : forall p v, has_value threefold ([], p) v <-> has_value g p v.
Proof. intros p v. apply threefold_keeps_values. intros q. cbn. lia. Qed.

End Threefold.

(* The rule distinguishes positions by the player who is to move, Black or White. This makes no difference to values. *)
Section Players.

Context {position : Type} (g : game position).

Definition with_players : game (bool * position) := {|
  ended s := ended g (snd s);
  moves s := map (fun q => (negb (fst s), q)) (moves g (snd s))
|}.

Lemma with_players_within : forall n player p,
  (lost_within with_players n (player, p) <-> lost_within g n p) /\
  (won_within with_players n (player, p) <-> won_within g n p).
Proof.
  induction n as [|n IH]; intros player p; [split; reflexivity|].
  rewrite !lost_within_S, !won_within_S. cbn. split.
  - apply or_iff_compat_l. split; intros [N A]; (split; [destruct (moves g p); cbn in *; congruence|]); intros q I.
    + apply (IH (negb player) q), A, in_map_iff. eauto.
    + apply in_map_iff in I. destruct I as [r [<- I]]. apply IH, A, I.
  - apply and_iff_compat_l. split; intros [q [I L]].
    + apply in_map_iff in I. destruct I as [r [<- I]]. exists r. split; [exact I|]. apply (IH (negb player) r), L.
    + exists (negb player, q). split; [apply in_map_iff; eauto|]. apply IH, L.
Qed.

Theorem with_players_keeps_values : forall player p v, has_value with_players (player, p) v <-> has_value g p v.
Proof.
  intros player p. apply same_within_same_value; intros n; apply with_players_within.
Qed.

End Players.
