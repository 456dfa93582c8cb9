(* Examples of the definitions in Neutreeko.v, proved by computation. A mistake in a definition makes one of
   them fail. *)

Require Import Arith NArith String Ascii List.
From Proof Require Import Game Neutreeko.
Import ListNotations.
Local Open Scope string_scope.

(* ---- squares and positions as text ---- *)

(* A square from its name, such as "b1". *)
Definition sq (name : string) : square :=
  match name with
  | String file (String rank EmptyString) =>
      (nat_of_ascii file - nat_of_ascii "a", nat_of_ascii rank - nat_of_ascii "1")
  | _ => (0, 0)
  end.

(* The position after the piece on one square has gone to the other. *)
Definition moved (p : placement) (from to : string) : placement :=
  (snd p, insert (sq to) (remove (sq from) (fst p))).

(* The squares with a letter in a picture of the board, from the first rank. *)
Fixpoint squares_in_rank (letter : ascii) (file rank : nat) (text : string) : list square :=
  match text with
  | EmptyString => []
  | String found rest =>
      (if Ascii.eqb found letter then [(file, rank)] else []) ++ squares_in_rank letter (S file) rank rest
  end.

Fixpoint squares_in (letter : ascii) (rank : nat) (texts : list string) : list square :=
  match texts with
  | [] => []
  | text :: rest => squares_in_rank letter 0 rank text ++ squares_in letter (S rank) rest
  end.

(* The side to move has the letters b, its opponent w. *)
Definition picture (texts : list string) : placement := (squares_in "b" 0 (rev texts), squares_in "w" 0 (rev texts)).

(* ---- the start position ---- *)

Example start_picture : start = picture [
  ".w.w.";
  "..b..";
  ".....";
  "..w..";
  ".b.b."].
Proof. reflexivity. Qed.

Example first_moves : positions_after standard start = [
  moved start "b1" "b4"; moved start "b1" "c1"; moved start "b1" "a1"; moved start "b1" "a2";
  moved start "d1" "d4"; moved start "d1" "e2"; moved start "d1" "e1"; moved start "d1" "c1";
  moved start "c4" "c5"; moved start "c4" "e4"; moved start "c4" "e2"; moved start "c4" "c3";
  moved start "c4" "a2"; moved start "c4" "a4"].
Proof. reflexivity. Qed.

(* The number of lines of n moves, which end earlier only where the game is over. *)
Fixpoint lines_of_moves (b : board) (n : nat) (p : placement) : nat :=
  match n with
  | 0 => 1
  | S m => if ended (neutreeko b) p then 0
           else fold_left (fun sum q => sum + lines_of_moves b m q) (positions_after b p) 0
  end.

Example lines_of_1_to_4_moves :
  map (fun n => N.of_nat (lines_of_moves standard n start)) [1; 2; 3; 4] = [14; 207; 2723; 36677]%N.
Proof. vm_compute. reflexivity. Qed.

(* ---- boards ---- *)

Example lines_of_standard : length (lines standard) = 48.
Proof. reflexivity. Qed.

(* Ranks and files, and diagonals. *)
Example lines_of_four :
  map (fun lines => length (lines 4 {| width := 4; height := 4 |})) [orthogonal; diagonal] = [8; 2].
Proof. reflexivity. Qed.

(* Of the 25 * 24 / 2 pairs of squares, 72 have a square halfway between them. *)
Example lines_of_equidistant : length (equidistant {| width := 5; height := 5 |}) = 72.
Proof. reflexivity. Qed.

Example line_of_centre : centre {| width := 7; height := 5 |} = [[sq "d3"]].
Proof. reflexivity. Qed.

(* The width comes first. *)
Example board_of_7x5 : on (make_board 7 5 3 centre) = {| width := 7; height := 5 |}.
Proof. reflexivity. Qed.

(* ---- values ---- *)

(* The opponent has three adjacent pieces in a diagonal: the game is over. *)
Example lost_in_0 : has_value (neutreeko standard) (picture [
  "b....";
  ".w.b.";
  "..w..";
  "...w.";
  ".b..."]) (Lost 0).
Proof. apply lost_by_computation; reflexivity. Qed.

(* First moves that lose in 2 and in 4 plies: White then wins in one ply less. *)
Example after_c4_e4 : has_value (neutreeko standard) (moved start "c4" "e4") (Won 1).
Proof. apply won_by_computation; reflexivity. Qed.

Example after_c4_c5 : has_value (neutreeko standard) (moved start "c4" "c5") (Won 3).
Proof. apply won_by_computation; vm_compute; reflexivity. Qed.

(* The longest loss of the board with which docs/HOW.md explains the method. *)
Example lost_in_6 : has_value (neutreeko (make_board 3 3 2 (orthogonal 2))) (picture [
  "b..";
  "w.w";
  "..b"]) (Lost 6).
Proof. apply lost_by_computation; vm_compute; reflexivity. Qed.
