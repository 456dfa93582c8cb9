(* The solution of Neutreeko. Table_5x5_3.v has the values that `neutreeko export` prints; Coq's kernel computes that
   they follow from each other, and how often they occur. *)

Require Import List Lia NArith Uint63 PArray.
From Proof Require Import Game Neutreeko Checker Threefold Theorems Table_5x5_3.
Import ListNotations.

Lemma distinct : bits_are_distinct standard = true.
Proof. vm_compute. reflexivity. Qed.

(* If a value is wrong, this fails, and the message has a position. *)
Lemma accepted : first_wrong_position standard rows = None.
Proof. vm_compute. reflexivity. Qed.

(* The printed values are right in every legal position. *)
Theorem all_values : forall p, legal standard p -> has_value (neutreeko standard) p (value_in standard rows p).
Proof. exact (values_are_right standard rows distinct accepted). Qed.

(* There are as many lines in the list as legal positions: it has each once, and nothing else. *)
Theorem positions : number_of (legal standard) lines.
Proof. apply (number_is_all _ _ distinct accepted). vm_compute. reflexivity. Qed.

(* ---- the start position ---- *)

Lemma start_is_legal : legal standard start.
Proof. cbn. unfold is_side, on_grid. cbn. intuition (subst; cbn; auto; lia || discriminate). Qed.

Theorem start_is_drawn : drawn (neutreeko standard) start.
Proof.
  assert (V : value_in standard rows start = Drawn) by (vm_compute; reflexivity).
  pose proof (all_values start start_is_legal) as H. rewrite V in H. exact H.
Qed.

Theorem start_is_drawn_with_threefold : drawn (neutreeko_with_threefold standard) ([], (true, start)).
Proof.
  apply (threefold_keeps_first_values _ same_position (true, start) Drawn).
  apply with_players_keeps_values, start_is_drawn.
Qed.

(* ---- numbers of legal positions ---- *)

Theorem wins : number_of (fun p => legal standard p /\ exists n, won (neutreeko standard) n p) 2473028.
Proof. apply (number_is_count _ _ distinct accepted _ _ _ (is_won_iff _)). vm_compute. reflexivity. Qed.

Theorem losses : number_of (fun p => legal standard p /\ exists n, lost (neutreeko standard) n p) 890392.
Proof. apply (number_is_count _ _ distinct accepted _ _ _ (is_lost_iff _)). vm_compute. reflexivity. Qed.

Theorem draws : number_of (fun p => legal standard p /\ drawn (neutreeko standard) p) 104660.
Proof. apply (number_is_count _ _ distinct accepted _ _ _ (is_drawn_iff _)). vm_compute. reflexivity. Qed.

(* ---- the longest win and the longest loss ---- *)

Theorem wins_in_51_plies : number_of (fun p => legal standard p /\ won (neutreeko standard) 51 p) 8.
Proof. apply (number_is_count _ _ distinct accepted _ _ _ (is_won_in_iff _ _)). vm_compute. reflexivity. Qed.

Theorem losses_in_50_plies : number_of (fun p => legal standard p /\ lost (neutreeko standard) 50 p) 32.
Proof. apply (number_is_count _ _ distinct accepted _ _ _ (is_lost_in_iff _ _)). vm_compute. reflexivity. Qed.

Theorem none_in_more_plies : forall p n, legal standard p ->
  won (neutreeko standard) n p \/ lost (neutreeko standard) n p -> n <= 51.
Proof.
  intros p n L H. destruct (PeanoNat.Nat.le_gt_cases n 51) as [M|M]; [exact M|exfalso].
  assert (Z : count standard rows (is_longer_than 51) = 0%N) by (vm_compute; reflexivity).
  pose proof (number_is_count _ _ distinct accepted _ _ _ (is_longer_than_iff _ 51) Z) as none.
  apply (number_is_0 _ none p). eauto.
Qed.
