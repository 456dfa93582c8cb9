(* Tables in which one value is changed, to show that the checker rejects them. *)

Require Import List Uint63 PArray.
From Proof Require Import Neutreeko Checker.
Import ListNotations.
Local Open Scope uint63_scope.

(* The numbers of a row and of a position in it, and the new code. *)
Definition change : Type := int * int * int.

Definition changed (rows : array (array int)) (c : change) : array (array int) :=
  let '(i, number, code) := c in
  let row := copy rows.[i] in
  let difference := code_in row number lxor code in
  (copy rows).[i <- row.[number / 9 <- row.[number / 9] lxor (difference << (7 * (number mod 9)))]].

Definition accepted_changes (b : board) (rows : array (array int)) (changes : list change) : list change :=
  filter (fun c => match first_wrong_position b (changed rows c) with None => true | _ => false end) changes.
