(* What is proved, on one page: the theorems of Solution.v once more, with the numbers. One that is weakened there makes
   its example fail, and so does a definition there with the name of one of those that are meant, or in what is imported
   here: the definitions of the games come last, so that nothing hides them. *)

Require Import NArith.
From Proof Require Solution Table_5x5_3.
From Proof Require Import Checker Theorems Neutreeko Game.

Example all_values : forall p, legal standard p ->
  has_value (neutreeko standard) p (value_in standard Table_5x5_3.rows p).
Proof. exact Solution.all_values. Qed.

Example positions : number_of (legal standard) 3468080.
Proof. exact Solution.positions. Qed.

Example start_is_drawn : drawn (neutreeko standard) start.
Proof. exact Solution.start_is_drawn. Qed.

Example start_is_drawn_with_threefold : drawn (neutreeko_with_threefold standard) (nil, (true, start)).
Proof. exact Solution.start_is_drawn_with_threefold. Qed.

Example wins : number_of (fun p => legal standard p /\ exists n, won (neutreeko standard) n p) 2473028.
Proof. exact Solution.wins. Qed.

Example losses : number_of (fun p => legal standard p /\ exists n, lost (neutreeko standard) n p) 890392.
Proof. exact Solution.losses. Qed.

Example draws : number_of (fun p => legal standard p /\ drawn (neutreeko standard) p) 104660.
Proof. exact Solution.draws. Qed.

Example wins_in_51_plies : number_of (fun p => legal standard p /\ won (neutreeko standard) 51 p) 8.
Proof. exact Solution.wins_in_51_plies. Qed.

Example losses_in_50_plies : number_of (fun p => legal standard p /\ lost (neutreeko standard) 50 p) 32.
Proof. exact Solution.losses_in_50_plies. Qed.

Example none_in_more_plies : forall p n, legal standard p ->
  won (neutreeko standard) n p \/ lost (neutreeko standard) n p -> n <= 51.
Proof. exact Solution.none_in_more_plies. Qed.
