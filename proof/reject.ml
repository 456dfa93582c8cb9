(* Usage: reject TABLE COUNT SEED
   Changes one code of the table, has the checker examine all positions, and undoes the change, COUNT times. Fails if
   the checker accepts a changed table. The codes and changes are random, with as many changes of each kind; SEED begins
   the random numbers. Codes of illegal placements are not changed: nothing depends on them. *)

type result = Win | Draw | Loss

let name_of = function Win -> "win" | Draw -> "draw" | Loss -> "loss"
let kinds = [| Win, Draw; Win, Loss; Draw, Win; Draw, Loss; Loss, Win; Loss, Draw; Loss, Loss |]
let result_of code = match code with 0 -> Win | 1 -> Draw | _ -> Loss

let codes_of_legal (table : Table.t) =
  let open Extracted in
  let board = table.header.board in
  let seen = Bytes.make table.header.entries '\000' in
  let see position = Bytes.set seen (Table.entry table position) '\001' in
  List.iter (fun group -> List.iter see (members board group)) (groups board);
  let legal = List.filter (fun entry -> Bytes.get seen entry = '\001') (List.init table.header.entries Fun.id) in
  Array.of_list legal

(* A new code of this kind, other than the old one: of a loss half of the time one of two plies more or less. *)
let rec changed_code old after =
  match after with
  | Win -> 0
  | Draw -> 1
  | Loss ->
      let near = old + (2 * Random.int 2) - 1 and any = 2 + Random.int 30 in
      let code = if old >= 2 && Random.bool () then near else any in
      if code = old || code < 2 then changed_code old after else code

let rec random_entry (table : Table.t) legal before =
  let entry = legal.(Random.int (Array.length legal)) in
  if result_of (Char.code (Bytes.get table.codes entry)) = before then entry else random_entry table legal before

let is_rejected (table : Table.t) =
  Array.fill table.distances 0 (Array.length table.distances) 0;
  Extracted.first_wrong_position table.header.board (Table.value table) <> None

let () =
  let table = Table.read Sys.argv.(1) and count = int_of_string Sys.argv.(2) in
  Random.init (int_of_string Sys.argv.(3));
  let legal = codes_of_legal table in
  let present = Array.to_list (Array.map (fun entry -> result_of (Char.code (Bytes.get table.codes entry))) legal) in
  let kinds = Array.of_list (List.filter (fun (before, _) -> List.mem before present) (Array.to_list kinds)) in
  let rejected = Array.make (Array.length kinds) 0 in
  for i = 0 to count - 1 do
    let before, after = kinds.(i mod Array.length kinds) in
    let entry = random_entry table legal before in
    let old = Bytes.get table.codes entry in
    let code = changed_code (Char.code old) after in
    Bytes.set table.codes entry (Char.chr code);
    if is_rejected table then rejected.(i mod Array.length kinds) <- rejected.(i mod Array.length kinds) + 1
    else Printf.printf "accepted: entry %d changed from %d to %d\n" entry (Char.code old) code;
    Bytes.set table.codes entry old
  done;
  Array.iteri
    (fun i (before, after) -> Printf.printf "%s to %s: %d rejected\n" (name_of before) (name_of after) rejected.(i))
    kinds;
  let total = Array.fold_left ( + ) 0 rejected in
  Printf.printf "%s: %d of %d changed tables rejected\n" table.header.name total count;
  exit (if total = count && not (is_rejected table) then 0 else 1)
