(* Neutreeko, on a board of any size: with Game.v the whole specification. *)

Require Import Arith Bool List.
From Proof Require Import Game.
Import ListNotations.

(* ---- squares ---- *)

(* A file and a rank, both from 0: a1 is (0, 0), b1 is (1, 0). *)
Definition square : Type := nat * nat.

Definition same (s t : square) : bool := (fst s =? fst t) && (snd s =? snd t).

Fixpoint mem (s : square) (side : list square) : bool :=
  match side with
  | [] => false
  | t :: rest => same s t || mem s rest
  end.

Record grid := { width : nat; height : nat }.

(* From a1 along the first rank, then along the second, and so on. *)
Definition squares (g : grid) : list square :=
  flat_map (fun rank => map (fun file => (file, rank)) (seq 0 (width g))) (seq 0 (height g)).

Definition before (s t : square) : bool := (snd s <? snd t) || (snd s =? snd t) && (fst s <? fst t).

(* ---- directions ---- *)

(* What a step adds to the file or to the rank: -1, 0 or 1. *)
Inductive step := Back | Stay | Ahead.

Definition step_from (size : nat) (d : step) (n : nat) : option nat :=
  match d with
  | Back => match n with 0 => None | S m => Some m end
  | Stay => Some n
  | Ahead => if S n <? size then Some (S n) else None
  end.

Definition direction : Type := step * step.

(* The next square in a direction, or None at the edge of the board. *)
Definition next (g : grid) (d : direction) (s : square) : option square :=
  match step_from (width g) (fst d) (fst s), step_from (height g) (snd d) (snd s) with
  | Some file, Some rank => Some (file, rank)
  | _, _ => None
  end.

Definition directions : list direction :=
  [(Stay, Ahead); (Ahead, Ahead); (Ahead, Stay); (Ahead, Back);
   (Stay, Back); (Back, Back); (Back, Stay); (Back, Ahead)].

(* ---- winning lines ---- *)

(* A side wins if its pieces are on all squares of one of the lines. *)
Record board := { on : grid; pieces : nat; lines : list (list square) }.

(* The n squares from a square in a direction, or nothing if the board ends before. *)
Fixpoint line_from (g : grid) (d : direction) (n : nat) (s : square) : list (list square) :=
  match n with
  | 0 => []
  | 1 => [[s]]
  | S m => match next g d s with Some t => map (cons s) (line_from g d m t) | None => [] end
  end.

Definition lines_along (ds : list direction) (n : nat) (g : grid) : list (list square) :=
  flat_map (fun s => flat_map (fun d => line_from g d n s) ds) (squares g).

(* The winning conditions: n pieces in a row; one of three pieces exactly halfway between the others; a piece on the
   centre square. *)
Definition orthogonal := lines_along [(Ahead, Stay); (Stay, Ahead)].
Definition diagonal := lines_along [(Ahead, Ahead); (Back, Ahead)].
Definition any_direction (n : nat) (g : grid) := orthogonal n g ++ diagonal n g.

Definition halfway (s m t : square) : bool := (fst s + fst t =? 2 * fst m) && (snd s + snd t =? 2 * snd m).
Definition equidistant (g : grid) : list (list square) :=
  let triples := list_prod (list_prod (squares g) (squares g)) (squares g) in
  map (fun '(s, m, t) => [s; m; t]) (filter (fun '(s, m, t) => before s t && halfway s m t) triples).

Definition centre (g : grid) : list (list square) := [[(width g / 2, height g / 2)]].

Definition has_line (b : board) (side : list square) : bool :=
  existsb (forallb (fun s => mem s side)) (lines b).

(* ---- positions and moves ---- *)

(* The squares of the side to move and those of its opponent, each in the order of squares. *)
Definition placement : Type := list square * list square.

(* Where a piece that slides in a direction stops: before the edge or another piece. It takes at most `limit` steps. *)
Fixpoint slide (g : grid) (occupied : list square) (d : direction) (limit : nat) (s : square) : square :=
  match limit, next g d s with
  | S less, Some t => if mem t occupied then s else slide g occupied d less t
  | _, _ => s
  end.

Fixpoint insert (s : square) (side : list square) : list square :=
  match side with
  | [] => [s]
  | t :: rest => if before s t then s :: side else t :: insert s rest
  end.

Definition remove (s : square) (side : list square) : list square := filter (fun t => negb (same s t)) side.

Definition slides (b : board) (p : placement) (s : square) (d : direction) : list placement :=
  let (mover, other) := p in
  let t := slide (on b) (mover ++ other) d (width (on b) + height (on b)) s in
  if same s t then [] else [(other, insert t (remove s mover))].

Definition positions_after (b : board) (p : placement) : list placement :=
  flat_map (fun s => flat_map (slides b p s) directions) (fst p).

(* The game ends when the side that has just moved has a line. *)
Definition neutreeko (b : board) : game placement :=
  {| ended p := has_line b (snd p); moves := positions_after b |}.

(* ---- legal positions ---- *)

Fixpoint in_order (side : list square) : Prop :=
  match side with
  | [] => True
  | s :: rest => (forall t, In t rest -> before s t = true) /\ in_order rest
  end.

Definition on_grid (g : grid) (s : square) : Prop := fst s < width g /\ snd s < height g.

Definition is_side (b : board) (side : list square) : Prop :=
  length side = pieces b /\ in_order side /\ forall s, In s side -> on_grid (on b) s.

(* The side to move has not already won. Whether a position can arise in a game makes no difference. *)
Definition legal (b : board) (p : placement) : Prop :=
  let (mover, other) := p in
  is_side b mover /\ is_side b other /\ (forall s, In s mover -> ~ In s other) /\ has_line b mover = false.

(* ---- boards ---- *)

Definition make_board (w h n : nat) (lines : grid -> list (list square)) : board :=
  let g := {| width := w; height := h |} in {| on := g; pieces := n; lines := lines g |}.

(* The standard game, in which Black moves first: Black has b1, d1 and c4, White has c2, b5 and d5. *)
Definition standard : board := make_board 5 5 3 (any_direction 3).
Definition start : placement := ([(1, 0); (3, 0); (2, 3)], [(2, 1); (1, 4); (3, 4)]).
