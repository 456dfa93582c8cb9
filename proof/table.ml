(* Reads a table (docs/FORMATS.md) and looks up values in it. Nothing depends on this file being right: the checker
   examines what the lookup returns, whatever the file or this reader made of it. *)

open Extracted

exception Damaged of string

let damaged format = Printf.ksprintf (fun text -> raise (Damaged text)) format

(* ---- the file ---- *)

type header = { name : string; board : board; entries : int; in_block : int; blocks : int }

let begin_of_list = 112
let bytes_of_item = 16

let number bytes offset count =
  let rec add i sum = if i < 0 then sum else add (i - 1) ((sum lsl 8) lor Char.code bytes.[offset + i]) in
  add (count - 1) 0

(* A name as in docs/BOARDS.md. *)
let name_of width height pieces row rule =
  let usual = if rule = "equidistant" || rule = "centre" then pieces else min 3 pieces in
  Printf.sprintf "%dx%d/%d" width height pieces
  ^ (if row = usual then "" else Printf.sprintf "/row%d" row)
  ^ if rule = "line" then "" else "/" ^ rule

let read_header bytes =
  if String.length bytes < begin_of_list || String.sub bytes 0 8 <> "\x89NKT\r\n\x1a\n" || number bytes 8 4 <> 2 then
    damaged "not a table of format version 2";
  if number bytes 80 8 <> String.length bytes then
    damaged "%d bytes, expected %d" (String.length bytes) (number bytes 80 8);
  let width, height, pieces, row = number bytes 12 1, number bytes 13 1, number bytes 14 1, number bytes 15 1 in
  if min width height < 3 || max width height > 8 || pieces < 2 || pieces > 5 || row < 2 || row > pieces then
    damaged "an impossible board";
  let rule, lines =
    match number bytes 16 1 with
    | 0 -> "line", any_direction row
    | 1 -> "orthogonal", orthogonal row
    | 2 -> "diagonal", diagonal row
    | 3 -> "equidistant", equidistant
    | 4 -> "centre", centre
    | other -> damaged "winning condition %d, expected 0 to 4" other
  in
  { name = name_of width height pieces row rule; board = make_board width height pieces lines;
    entries = number bytes 72 8; in_block = number bytes 88 4; blocks = number bytes 92 4 }

let uncompress bytes first last =
  if first < begin_of_list || last < first || last > String.length bytes then
    damaged "a block from byte %d to byte %d of %d" first last (String.length bytes);
  let position = ref first and result = Buffer.create 16384 in
  let refill buffer =
    let count = min (Bytes.length buffer) (last - !position) in
    Bytes.blit_string bytes !position buffer 0 count;
    position := !position + count;
    count
  in
  (try Zlib.uncompress refill (fun buffer count -> Buffer.add_subbytes result buffer 0 count)
   with Zlib.Error _ -> damaged "the block at byte %d is not a zlib stream" first);
  Buffer.contents result

(* Writes the codes of a block, from the entry `first` on. *)
let unpack packed codes first count =
  let per_byte = number packed 0 1 in
  let base = match per_byte with 2 -> 16 | 3 -> 6 | other -> damaged "%d codes in a byte, expected 2 or 3" other in
  let numbers = (count + per_byte - 1) / per_byte in
  let others = ref (base + numbers) in
  let next_other () =
    incr others;
    packed.[!others - 1]
  in
  for i = 0 to numbers - 1 do
    let rest = ref (number packed (base + i) 1) in
    for entry = i * per_byte to min count ((i + 1) * per_byte) - 1 do
      let digit = !rest mod base in
      rest := !rest / base;
      Bytes.set codes (first + entry) (if digit < base - 1 then packed.[1 + digit] else next_other ())
    done
  done;
  if !others <> String.length packed then damaged "a block of %d bytes, expected %d" (String.length packed) !others

let read_codes bytes header =
  let codes = Bytes.make header.entries '\000' in
  let first = ref (begin_of_list + 2 * bytes_of_item * header.blocks) in
  for block = 0 to header.blocks - 1 do
    let last = number bytes (begin_of_list + bytes_of_item * block) 8 and entry = block * header.in_block in
    unpack (uncompress bytes !first last) codes entry (min header.in_block (header.entries - entry));
    first := last
  done;
  codes

(* ---- the entries of positions ---- *)

(* binomial.(n).(k): the number of sets of k of n squares. *)
let binomial =
  let rows = Array.make_matrix 65 9 0 in
  for n = 0 to 64 do
    rows.(n).(0) <- 1;
    for k = 1 to if n = 0 then 0 else 8 do
      rows.(n).(k) <- rows.(n - 1).(k - 1) + rows.(n - 1).(k)
    done
  done;
  rows

(* The number of a set of numbers in ascending order, of all sets of this size in the order of their bit masks. *)
let number_of_set numbers =
  let rec add sum k = function [] -> sum | n :: rest -> add (sum + binomial.(n).(k)) (k + 1) rest in
  add 0 1 numbers

let rec insert_number (n : int) = function
  | [] -> [ n ]
  | m :: rest as all -> if n < m then n :: all else m :: insert_number n rest

let rec sorted = function [] -> [] | n :: rest -> insert_number n (sorted rest)

type t = {
  header : header;
  codes : Bytes.t;
  orbits : int array; (* the orbit of each configuration *)
  places : int array array; (* for each configuration of the opponent, where the other squares go when it is made
                               canonical, counted without its own *)
  distances : int array; (* of wins, by entry, or 0 if not yet computed *)
}

(* Where each square goes under a symmetry. *)
let transform grid symmetry =
  Array.init (grid.width * grid.height) (fun square ->
      let file, rank = square mod grid.width, square / grid.width in
      let file = if symmetry land 1 > 0 then grid.width - 1 - file else file in
      let rank = if symmetry land 2 > 0 then grid.height - 1 - rank else rank in
      if symmetry land 4 > 0 then (file * grid.width) + rank else (rank * grid.width) + file)

let places_after transform image =
  Array.map (fun square -> square - List.length (List.filter (fun other -> other < square) image)) transform

let number_squares grid = List.map (fun (file, rank) -> (rank * grid.width) + file)

(* Configurations come in the order of their bit masks, so the first one of each orbit is the canonical one. *)
let number_orbits board =
  let grid = board.on in
  let all = List.map (number_squares grid) (groups board) in
  let all = List.sort (fun a b -> compare (number_of_set a) (number_of_set b)) all in
  let transforms = List.init (if grid.width = grid.height then 8 else 4) (transform grid) in
  let count = List.length all in
  let orbits = Array.make count (-1) and places = Array.make count [||] and orbit_count = ref 0 in
  List.iteri
    (fun number canonical ->
      if orbits.(number) < 0 then begin
        List.iter
          (fun transform ->
            let image = sorted (List.map (Array.get transform) canonical) in
            let inverse = Array.make (Array.length transform) 0 in
            Array.iteri (fun square target -> inverse.(target) <- square) transform;
            orbits.(number_of_set image) <- !orbit_count;
            places.(number_of_set image) <- places_after inverse canonical)
          transforms;
        incr orbit_count
      end)
    all;
  orbits, places, !orbit_count

let sets_of_free board = binomial.((board.on.width * board.on.height) - board.pieces).(board.pieces)

let entry table (mover, other) =
  let grid = table.header.board.on in
  let opponent = number_of_set (number_squares grid other) in
  let places = table.places.(opponent) in
  let number = number_of_set (sorted (List.map (fun square -> places.(square)) (number_squares grid mover))) in
  (table.orbits.(opponent) * sets_of_free table.header.board) + number

let read path =
  let channel = open_in_bin path in
  let bytes = really_input_string channel (in_channel_length channel) in
  close_in channel;
  try
    let header = read_header bytes in
    let orbits, places, orbit_count = number_orbits header.board in
    let expected = orbit_count * sets_of_free header.board in
    if header.entries <> expected then damaged "%d entries, expected %d" header.entries expected;
    { header; codes = read_codes bytes header; orbits; places; distances = Array.make header.entries 0 }
  with Invalid_argument _ -> damaged "the file ends too early, or a number in it is too large"

(* ---- values ---- *)

let code table position = Char.code (Bytes.get table.codes (entry table position))
let is_loss code = code >= 2
let plies_of_loss code = 2 * (code - 2)

(* The table has no distances of wins. They follow from those of the losses after the moves; a win without such a move
   gets 0 plies, which the checker rejects. *)
let distance_of_win table position =
  let shortest least after =
    let code = code table after in
    if is_loss code then min least (plies_of_loss code + 1) else least
  in
  let least = List.fold_left shortest max_int (positions_after table.header.board position) in
  if least = max_int then 0 else least

let value table position =
  let entry = entry table position in
  match Char.code (Bytes.get table.codes entry) with
  | 0 ->
      if table.distances.(entry) = 0 then table.distances.(entry) <- distance_of_win table position;
      Won table.distances.(entry)
  | 1 -> Drawn
  | code -> Lost (plies_of_loss code)
