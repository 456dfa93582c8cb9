(* Writes the functions that the program runs as an OCaml module, with natural numbers as native integers. *)

Require Import Arith Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From Proof Require Import Game Checker Neutreeko Complete Theorems.

(* OCaml's own functions for the same are several times as fast: those that would be written otherwise compare values of
   any type, or are called through a closure. *)
Extract Inlined Constant Nat.eqb => "Stdlib.Int.equal".
Extract Inlined Constant fst => "Stdlib.fst".
Extract Inlined Constant snd => "Stdlib.snd".

Extraction Language OCaml.
Extraction "extracted.ml" first_wrong_position fold_values make_board start
  any_direction orthogonal diagonal equidistant centre positions_after groups members.
