(* Usage: check TABLE [BOARD]
   Reads a table, has the checker examine each of its values, and prints what is then proved about the game: what the
   theorems of Theorems.v state. BOARD is a name as in docs/BOARDS.md (default: 5x5/3). *)

open Extracted

let fail format = Printf.ksprintf (fun text -> Printf.eprintf "check: %s\n" text; exit 1) format

(* Those whose games begin at the position `start`. *)
let boards_with_start = [ "5x5/3"; "5x5/3/orthogonal"; "5x5/3/diagonal"; "5x5/3/equidistant" ]

let text_of_value = function
  | Won plies -> Printf.sprintf "win in %d plies" plies
  | Lost plies -> Printf.sprintf "loss in %d plies" plies
  | Drawn -> "draw"

(* The ranks from the top, with 'b' for the side to move and 'w' for its opponent. *)
let text_of_position grid (mover, other) =
  let square file rank =
    if List.mem (file, rank) mover then "b" else if List.mem (file, rank) other then "w" else "."
  in
  let text_of_rank rank = String.concat "" (List.init grid.width (fun file -> square file rank)) in
  String.concat "/" (List.init grid.height (fun i -> text_of_rank (grid.height - 1 - i))) ^ " b"

let rec with_commas n =
  if n < 1000 then string_of_int n else Printf.sprintf "%s,%03d" (with_commas (n / 1000)) (n mod 1000)

(* The number of positions of each value, in the order of the distances. *)
let histogram board values =
  let counts = Hashtbl.create 100 in
  let add () value = Hashtbl.replace counts value (1 + Option.value (Hashtbl.find_opt counts value) ~default:0) in
  fold_values board values add ();
  List.sort compare (List.of_seq (Hashtbl.to_seq counts))

(* Prints the sum of counts and, for wins and losses, the longest distance and how often it occurs. *)
let print_counts name counts =
  Printf.printf "%-8s%12s" name (with_commas (List.fold_left (fun sum (_, count) -> sum + count) 0 counts));
  (match List.rev counts with
   | ((Won plies | Lost plies), count) :: _ ->
       Printf.printf "   the longest takes %d plies (%s positions)" plies (with_commas count)
   | _ -> ());
  print_newline ()

let () =
  let path, name =
    match Sys.argv with
    | [| _; path |] -> path, "5x5/3"
    | [| _; path; name |] -> path, name
    | _ ->
        prerr_endline "usage: check TABLE [BOARD]";
        exit 2
  in
  let table =
    try Table.read path with
    | Table.Damaged text -> fail "%s: %s" path text
    | Sys_error text -> fail "%s" text
  in
  let board = table.header.board in
  if table.header.name <> name then fail "%s: a table of %s, expected %s" path table.header.name name;
  let values = Table.value table in
  (match first_wrong_position board values with
   | None -> ()
   | Some p ->
       fail "%s: rejected: %s is a %s in the table, which does not follow from the values after its moves" path
         (text_of_position board.on p) (text_of_value (values p)));
  let counts = histogram board values in
  let counts_of is_such = List.filter (fun (value, _) -> is_such value) counts in
  Printf.printf "%s: every value of %s is right\n" path name;
  print_counts "positions" (List.rev_map (fun (_, count) -> Drawn, count) counts);
  print_counts "wins" (counts_of (function Won _ -> true | _ -> false));
  print_counts "losses" (counts_of (function Lost _ -> true | _ -> false));
  print_counts "draws" (counts_of (function Drawn -> true | _ -> false));
  if List.mem name boards_with_start then Printf.printf "start position: %s\n" (text_of_value (values start))
