// All texts of the page in each language. A text with values to insert is a function.
//
// Distances are given in plies. English texts convert them to moves unless the user counts plies. Japanese texts always
// count plies, as is usual in shogi.

/** @import { Board } from './types.js' */
/** @typedef {{name: string, about: string}} Player */
/** @typedef {string | string[] | string[][] | Player} Fixed */
/** @typedef {Fixed | ((...values: any[]) => string | number | string[] | Player)} Text */

/**
 * @param {number} n
 * @param {string} one
 * @param {string} many
 */
const plural = (n, one, many) => `${n} ${n === 1 ? one : many}`;
/** @param {number} n */
const plies = (n) => plural(n, 'ply', 'plies');
/**
 * A win in 2n-1 plies and a loss in 2n plies take n moves.
 * @param {number} n
 */
const moves = (n) => Math.ceil(n / 2);

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five'];
/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/**
 * What wins on a board.
 * @param {Board} board
 */
const goal = ({ row, win }) =>
  ({ line: `${NUMBERS[row]} in a row`, orthogonal: `${NUMBERS[row]} in a straight row`,
    diagonal: `${NUMBERS[row]} in a diagonal row`,
    equidistant: 'evenly spaced', centre: 'on the centre square' })[win];
/** @param {Board} board */
const rule = ({ pieces, row, win }) => {
  const line = `Get ${row < pieces ? `${NUMBERS[row]} of ` : ''}your ${NUMBERS[pieces]} pieces in an unbroken line`;
  return {
    line: `${line}, straight or diagonal, and you win.`,
    orthogonal: `${line} along a rank or file, and you win. Diagonal lines do not count.`,
    diagonal: `${line}, diagonally, and you win. Straight lines do not count.`,
    equidistant:
      'You win if one of your pieces is exactly halfway between the other two, at any distance in any direction.',
    centre: 'You win if one of your pieces stops on the centre square.',
  }[win];
};

/** @param {Board} board */
const jaGoal = ({ row, win }) =>
  ({ line: `${row}個並び`, orthogonal: `縦横に${row}個並び`, diagonal: `斜めに${row}個並び`, equidistant: '等間隔に並び',
    centre: '中央に着き' })[win];
/** @param {Board} board */
const jaRule = ({ row, win }) =>
  ({
    line: `自分の駒を縦・横・斜めに${row}個隙間なく並べると勝ちです。`,
    orthogonal: `自分の駒を縦または横に${row}個隙間なく並べると勝ちです（斜めは数えません）。`,
    diagonal: `自分の駒を斜めに${row}個隙間なく並べると勝ちです（縦横は数えません）。`,
    equidistant: '自分の駒のひとつが残りふたつのちょうど中間にあれば勝ちです。距離と方向は問いません。',
    centre: '自分の駒が中央のマスに止まれば勝ちです。',
  })[win];

/** @satisfies {Record<string, Text>} */
const en = {
  language: 'English',
  between: ' ', // two sentences
  stop: '.',
  title: 'Neutreeko',
  share: 'Share',
  views: 'Views',
  play: 'Play',
  review: 'Review',
  laboratory: 'Lab',
  puzzles: 'Puzzles',
  close: 'Close',
  theme_auto: 'Theme: system',
  theme_light: 'Theme: light',
  theme_dark: 'Theme: dark',
  failed_damaged: 'This file is damaged. Please download it again.',
  failed_failed: 'Neutreeko could not start. Please reload the page.',
  failure: 'Neutreeko cannot start',

  board: 'Board',
  black: 'Black',
  white: 'White',
  blackPiece: 'black piece',
  whitePiece: 'white piece',
  empty: 'empty',
  lastMove: 'last move',
  picked: 'selected',
  canMoveHere: 'can move here',
  flip: 'Flip board',

  inPlies: plies,
  inMoves: (n) => plural(moves(n), 'move', 'moves'),
  winLetter: 'W',
  drawLetter: 'D',
  lossLetter: 'L',
  winValue: (distance) => `wins in ${distance}`,
  drawValue: 'draws',
  lossValue: (distance) => `loses in ${distance}`,
  drawOutcome: 'Draw with best play',
  winOutcome: (side, distance) => `${side} wins in ${distance}`,

  endDetail_repetition: 'Draw by threefold repetition.',
  endDetail_stalemate: (_, side) => `${side} has no legal moves.`,
  repeated: 'This position has occurred twice. A third time is a draw.',
  spokenMove: (side, move) => `${side}: ${move}.`,
  spokenDash: ' to ', // in a move
  mistake: 'mistake',
  blunder: 'blunder',
  deselected: 'Deselected.',
  refusedTarget: (to, from) => `${from} can’t move to ${to}.`,
  refusedSquare: (square) => `No piece to move on ${square}.`,
  flipped: (side) => `${side} at the bottom.`,
  hintPiece: (square) => `Hint: the piece on ${square}.`,
  hintMove: (move) => `Hint: ${move}.`,

  players: 'Players',
  perfectPlayer: { name: 'Perfect', about: 'Never makes a mistake, and sets traps when the game is drawn.' },
  levelPlayer: (n) => ({
    name: `Level ${n}`,
    about:
      n === 1
        ? 'Overlooks most wins in one move. Good for your first games.'
        : n === 2
          ? 'Sees a win in one move, and nothing else.'
          : n === 3
            ? 'Sees a win in one move, and most threats.'
            : `Always sees ${plies(n - 2)} ahead; overlooks more the farther away the end is.`,
  }),
  alsoCalled: (name, other) => `${name} (${other.toLowerCase()})`,
  rulesPlayer: { name: 'Heuristic', about: 'Takes a win, stops a loss, makes and prevents double threats.' },
  alphabetaPlayer: (n) => ({
    name: `Search, ${plies(n)}`,
    about: `Searches ${plies(n)} ahead and estimates the positions there.`,
  }),
  randomPlayer: { name: 'Random', about: 'Plays any legal move.' },
  weakestPlayer: { name: 'Reverse', about: 'Tries to lose.' },
  newGame: 'New game',
  resign: 'Resign',
  pause: 'Pause',
  go: 'Continue',
  moves: 'Moves',
  noMoves: 'No moves yet.',
  startPosition: 'Start position',

  allMoves: 'All moves, best first',
  playBest: 'Play best move',
  bestLine: 'Best line',
  lineWon: (distance) => `${distance} to the end of the game`,
  lineDrawn: 'The game remains drawn.',
  repeats: 'repetition',
  why: 'Why',
  gameOver: 'The game is over.',
  why_winNow: (side) => `${side} wins at once.`,
  why_win: (side, distance) => `${side} wins in ${distance}.`,
  why_draw: 'Keeps the draw.',
  why_loss: (side, distance) => `${side} still loses, in ${distance}.`,
  whyRepeats: 'Draw by threefold repetition.',
  whyOnlyWin: 'It’s the only move that wins.',
  whyOnlyDraw: 'It’s the only move that doesn’t lose.',
  whyThreatNow: (move) => `It threatens to win with ${move}.`,
  whyThreat: (move, distance) => `It threatens ${move}, winning in ${distance}.`,
  whyStopsNow: (opponent, move) => `It stops ${opponent} from winning with ${move}.`,
  whyStops: (opponent, move, distance) => `It stops ${opponent}’s ${move}, which would win in ${distance}.`,
  whyOnlyReply: (opponent, move) => `${opponent}’s only good reply is ${move}.`,
  whyReplies: (opponent, losing, total) =>
    `${losing} of ${opponent}’s ${total} replies lose${losing === 1 ? 's' : ''}.`,
  whyLine: (line) => `Best continuation: ${line}.`,
  whyLineCut: (line) => `Best continuation: ${line} \u2026`,

  reviewEmpty: 'Play a game first, or open one with “Share”. Then see here where it was decided.',
  reviewClean: 'No mistakes.',
  reviewing: (n, total) => `${n} of ${plural(total, 'move', 'moves')} reviewed …`,
  reviewInexact: 'Positions repeated so often that not all values are exact.',
  reviewCount: (side, mistakes, blunders) =>
    `${side}: ${plural(mistakes, 'mistake', 'mistakes')}, ${plural(blunders, 'blunder', 'blunders')}`,
  reviewKey: 
    'A mistake (?) drops the result one step: from a win to a draw, or from a draw to a loss. A blunder (??) turns a ' +
    'win into a loss.',
  graph: 'Graph of the game',
  graphUp: 'Black wins',
  graphDown: 'White wins',
  graphKey: 'Longer bar = quicker win.',
  showBest: 'Show best move',

  puzzleAskSave: 'Only one move doesn’t lose. Find it.',
  puzzleRight: 'Correct!',
  puzzleWrong_draw: (move) => `Not quite: ${move} only draws.`,
  puzzleWrong_loss: (move) => `Not quite: ${move} loses.`,
  puzzleShown: (move) => `The answer is ${move}.`,
  puzzleNext: 'Next puzzle',
  puzzleAgain: 'Try again',
  puzzleShow: 'Show the answer',
  puzzleExplore: 'Explore it',
  streak: 'Streak',
  days: 'Days',
  bestStreak: 'Best',

  brush: 'Place',
  erase: 'Empty',
  sideToMove: 'To move',
  clear: 'Clear',
  notation: 'Position as text',
  editorHint: 'Choose a piece, then select squares. Or press B, W or Delete on a square.',
  editorReady: 'Legal position.',
  editorOver: 'Legal position; the game is already over.',
  error_syntax: (at) => `Invalid position: check character ${at}.`,
  'error_black-count': (n, found) => `Black must have ${n} pieces but has ${found}.`,
  'error_white-count': (n, found) => `White must have ${n} pieces but has ${found}.`,
  error_won: (side) => `${side} has already won, so it can’t be ${side}’s turn.`,

  shareTitle: 'Share and open',
  link: 'Link to this page',
  position: 'Position',
  record: 'Game',
  copy: 'Copy',
  copied: 'Copied',
  copyField: (field) => `Copy: ${field}`,
  openLabel: 'Open a link, position or game',
  open: 'Open',

  rulesTitle: 'Rules',
  numbersTitle: 'Numbers',
  keysTitle: 'Keys',
  keysOn: 'Enable single-key shortcuts',

  explore: 'Explore',
  help: 'Rules and keys',
  menu: 'Menu',
  editor: 'Set up position',
  draw: 'Draw',
  comma: ', ',
  count: moves,
  steps: 'Undo and redo',
  undo: 'Undo',
  redo: 'Redo',
  showValues: 'Values',

  lessonTap: 'Tap a piece.',
  lessonClick: 'Click a piece.',
  lessonSlide: 'Slide it. It won’t stop until it hits something.',
  lessonWin: 'Three in a row wins. Find it!',
  lessonWinMissed: 'Not that one. Make a row of three.',
  lessonBlock: (move) => `White threatens ${move}. Stop it!`,
  lessonBlockMissed: (move) => `White still wins with ${move}. Stop it!`,
  lessonDone: 'You’ve got it.',
  chooseOpponent: 'Choose opponent',
  skip: 'Skip',
  showLesson: 'Try it on the board',

  playAgainst: 'Play against',
  beginner: 'Beginner',
  easy: 'Easy',
  medium: 'Medium',
  hard: 'Hard',
  perfect: 'Perfect',
  twoPlayers: 'Two players',
  yourColour: 'Your colour',
  blackFirst: 'Black (first)',
  randomColour: 'Random',
  more: 'More opponents',
  start: 'Start',
  versus: 'against',
  you: 'You',
  humanPlayer: { name: 'Person', about: '' },

  yourMove: 'Your move',
  warning: (side, move) => `That lets ${side} win with ${move}.`,
  warningAsk: 'Play it anyway?',
  playAnyway: 'Play it anyway',
  otherMove: 'Choose another move',
  warnings: 'Warn of losing moves',
  toMove: (side) => `${side} to move`,
  thinking: (side) => `${side} is thinking`,
  youWon: (n) => (n ? `You won in ${plural(moves(n), 'move', 'moves')}` : 'You won'),
  opponentWon: (name) => `${name} wins`,
  sideWon: (side) => `${side} wins`,
  youResigned: 'You resigned.',
  had_win: (n) => `You had a win until move ${n}.`,
  had_draw: (n) => `You had a draw until move ${n}.`,
  takeBack: (n) => `Try again from move ${n}`,
  endDetail_won: (n, _, board) => `${capital(goal(board))}, in ${plural(moves(n), 'move', 'moves')}.`,
  endDetail_resigned: (_, loser) => `${loser} resigned.`,
  rematch: 'Rematch',
  swap: 'Swap sides',
  against: (name, won, drawn, lost) => `Against ${name}: ${won} won, ${drawn} drawn, ${lost} lost.`,
  playNext: (name) => `Play ${name}`,
  latest: 'Latest move',
  resume: 'Back to your game',
  variation: 'Another line',

  playFromHere: 'Play from here',
  inPliesSwitch: 'Count plies',
  seenBefore: 'seen before',
  replies: (side) => `${side}’s replies`,
  replies_loss: (n) => `${n} lose${n === 1 ? 's' : ''}`,
  replies_draw: (n) => `${n} draw${n === 1 ? 's' : ''}`,
  replies_win: (n) => `${n} win${n === 1 ? 's' : ''}`,
  playLine: 'Play line',
  loop: 'Loop',
  backToGame: 'Back to the game',
  why_win_to_draw: () => 'Throws away the win: the game is now a draw.',
  why_win_to_loss: (opponent, distance) => `Turns a win into a loss: ${opponent} wins in ${distance}.`,
  why_draw_to_loss: (opponent, distance) => `Throws away the draw: ${opponent} wins in ${distance}.`,
  whyBest_win: (best) => `${best} would have won.`,
  whyBest_draw: (best) => `${best} would have drawn.`,

  best: (move) => `best: ${move}`,
  reviewChanged: (n, total) => `${n} of ${plural(total, 'move', 'moves')} changed the result.`,
  youPlayed: (side, move) => `${side} played ${move}`,
  showMe: 'Show me why',
  tryAgain: 'Try again',
  previousMistake: 'Previous mistake',
  nextMistake: 'Next mistake',
  reviewTry_win: 'Find a move that keeps the win.',
  reviewTry_draw: 'Find a move that keeps the draw.',
  reviewKept_win: (move, distance) => `${move} wins in ${distance}.`,
  reviewKept_draw: (move) => `${move} keeps the draw.`,

  puzzleKind: 'More puzzles',
  grade_easy: 'Easy',
  grade_medium: 'Medium',
  grade_hard: 'Hard',
  grade_expert: 'Expert',
  grade_save: 'Save the draw',
  gradeNote_easy: 'Win in 2 moves.',
  gradeNote_medium: 'Win in 3 moves.',
  gradeNote_hard: 'Win in 4 or 5 moves.',
  gradeNote_expert: 'Win in 6 moves or more.',
  gradeNote_save: 'Only one move doesn’t lose.',
  puzzleAskWin: (n) => `Win in ${moves(n)}. Only one move does it.`,
  puzzleLoading: 'Looking for puzzles…',
  puzzleAskRest: (n) => `Win in ${moves(n)}.`,
  puzzleGoOn: 'Correct! Go on.',
  puzzleWon: 'You found the win.',
  puzzleSaved: 'You saved the draw.',
  puzzleDaily: 'Today’s puzzle',
  puzzleDailyDone: 'Today’s puzzle (solved)',
  puzzleSkip: 'Another puzzle',
  hint: 'Hint',
  rating: 'Rating',

  statistics: 'Statistics',
  gamesPlayed: 'Games',
  noGames: 'No finished games yet.',
  won: 'Won',
  drawn: 'Drawn',
  lost: 'Lost',
  solved: 'Solved',
  failed: 'Failed',
  export: 'Save as file',
  delete: 'Delete',
  deleteSure: 'Delete: are you sure?',
  keptHere: 'All of this is kept on this device only.',
  sound: 'Sound',
  vibration: 'Vibration',

  localLink: 'This link works on this device only. Send the game or the position instead.',
  shareNative: 'Send the link',
  tooManyMoves: (most) => `This game has more than ${most} moves, the most that this page can open.`,
  openFailed: (error) => `Couldn’t read that as a link, position or game. ${error}`,
  standardGame: 'Standard game',
  seconds: (n) => `${n} sec`,
  minutes: (n) => `${n} min`,
  boardPieces: (n) => plural(n, 'piece', 'pieces'),
  boardRow: (n) => `${n} in a row`,
  lab_width: 'Width',
  lab_height: 'Height',
  lab_pieces: 'Pieces',
  lab_row: 'Row',
  lab_win: 'What wins',
  win_line: 'Any row',
  win_orthogonal: 'Straight row',
  win_diagonal: 'Diagonal row',
  win_equidistant: 'Evenly spaced',
  win_centre: 'Centre',
  refused_full: 'These pieces fill the board. Choose fewer, or a larger board.',
  refused_equidistant: 'This rule needs three pieces each.',
  refused_centre: 'This rule needs a width and height of 5 or 7, which have a centre.',
  refused_memory: (needed, limit) =>
    `This board takes ${needed} of memory; this browser can use at most ${limit}. Choose a smaller board or fewer ` +
    'pieces, or open a table that the program neutreeko-solve has made.',
  labUnsolved: 'Not solved yet',
  labWorking: 'Being solved',
  labLooking: 'Looking for the table on this device …',
  labSolve: 'Solve on this device',
  labEstimate: (positions, memory, time) => `${positions} positions, ${memory} of memory${time && `, about ${time}`}`,
  labSolving: (ply, decided, total) => `Ply ${ply}: ${decided} of ${total} positions are decided.`,
  lab_traps: 'Preparing traps for the perfect player',
  lab_writing: 'Writing the table',
  labCancel: 'Cancel',
  labCancelled: 'Cancelled. Nothing has changed.',
  labFailed_memory:
    'This device has too little memory free for this board. Close other pages, or choose a smaller board.',
  labFailed_refused: (error) => `This board cannot be solved: ${error}.`,
  labFailed_damaged: 'This file is not a table of Neutreeko, or it is damaged. Nothing has changed.',
  labFailed_unsupported: 'This browser is too old to solve boards.',
  labFailed_failed: (error) => `That failed: ${error}. Please try again.`,
  labFull:
    'The table is not kept: storage is full, or the table exceeds your limit. You can play until you close the ' +
    'page.',
  labDenied:
    'This browser keeps no tables for this page. You can play until you close it, and save the table as a file.',
  labDamaged: 'The table is damaged. This is the standard game.',
  labReading: 'Reading the table',
  labTooLarge:
    'Not shown, because all of the table would have to be read: an example of the longest game and, unless the ' +
    'board was solved here, the positions by distance.',
  useAsStart: 'Start games here',
  labProposed: 'Use the proposed start',
  labPlay: 'Play this board',
  labShowLongest: 'Show the longest game',
  labSave: (size) => `Save table (${size})`,
  labPositions: 'Positions',
  labPlies: 'Plies to the end',
  labWins: 'Wins',
  labLosses: 'Losses',
  labDraws: 'Draws',
  labFirst: 'Good first moves',
  labFirstOf: (good, all) => `${good} of ${all}`,
  labLongest: 'Longest',
  labByDistance: 'Positions by distance',
  labCurve: (most, ply, last) =>
    `Positions by distance: most, ${most}, end after ${plies(ply)}; the longest take ${plies(last)}.`,
  labCurveKey: (last) => `0 to ${plies(last)}, logarithmic`,
  labNumbers: 'All numbers',
  labCompare: 'Compare with',
  labNothing: 'nothing',
  labCompareHint: 'Solve another board to compare the two.',
  labKept: 'Solved boards on this device',
  labUsed: (used, budget) => `${used} of ${budget} used`,
  labBudget: 'Use at most',
  labEmpty: 'Delete all tables',
  labOpen: 'Open a table',
  labFile: 'From this device, up to 2 GB',
  labUrl: 'From this site',
  labForeign: 'Only tables of this site can be opened by address. Download the table, then open the file.',
  puzzleNone: 'No puzzle found',
  puzzleTooLarge:
    'None near some random positions: this table is too large to search all of it. Try again, or another ' +
    'difficulty.',
  puzzleNoneNote: 'This board has none of this difficulty.',
  puzzleUnread: 'The table could not be read.',
  badLink: 'Part of this link is invalid. The page shows the rest.',

  rules: (board) => [
    `Each side has ${NUMBERS[board.pieces]} pieces. Black moves first. A piece slides in any of the eight ` +
    'directions until it hits the edge or another piece.',
    rule(board),
    'If the same position occurs for the third time, the game is a draw.',
  ],
  numbers:
    'The game is solved. With best play, W 7 means that the side to move wins in 7 moves, L 11 that it loses in ' +
    '11, and D that the game is a draw. A ply is one move by one side.',
  keys: [
    ['← →', 'Previous and next move'],
    ['Home End', 'First and last move'],
    ['G', 'Go to the board'],
    ['← ↑ → ↓', 'On the board: go to the next square'],
    ['Enter', 'Pick up or put down a piece'],
    ['Esc', 'Deselect the piece'],
    ['U', 'Undo'],
    ['R', 'Redo'],
    ['N', 'New game; next puzzle'],
    ['F', 'Flip board'],
    ['X', 'Show values while playing'],
    ['B', 'Play best move (with values)'],
    ['1 2 3 4 5', 'Play, Review, Puzzles, Explore, Lab'],
    ['S', 'Share and open'],
    ['?', 'Show this help'],
  ],
};

/** @satisfies {Record<string, Text>} */
const ja = {
  language: '日本語',
  between: '',
  stop: '。',
  title: 'ニュートリーコ',
  share: '共有',
  views: '画面',
  play: '対局',
  review: '検討',
  laboratory: '研究',
  puzzles: '問題',
  close: '閉じる',
  theme_auto: '配色：自動',
  theme_light: '配色：ライト',
  theme_dark: '配色：ダーク',
  failed_damaged: 'このファイルは破損しています。もう一度ダウンロードしてください。',
  failed_failed: '起動できませんでした。ページを読み込み直してください。',
  failure: '起動できません',

  board: '盤',
  black: '黒',
  white: '白',
  blackPiece: '黒の駒',
  whitePiece: '白の駒',
  empty: '空き',
  lastMove: '直前の手',
  picked: '選択中',
  canMoveHere: 'ここへ動かせます',
  flip: '盤を反転',

  inPlies: (n) => `${n}手`,
  inMoves: (n) => `${n}手`,
  winLetter: '勝',
  drawLetter: '分',
  lossLetter: '負',
  winValue: (distance) => `${distance}で勝ち`,
  drawValue: '引き分け',
  lossValue: (distance) => `${distance}で負け`,
  drawOutcome: '双方最善で引き分け',
  winOutcome: (side, distance) => `双方最善で${side}の${distance}勝ち`,

  endDetail_repetition: '千日手で引き分けです。',
  endDetail_stalemate: (_, side) => `${side}に動かせる駒がありません。`,
  repeated: 'この局面は2回目です。3回目で千日手となり、引き分けです。',
  spokenMove: (side, move) => `${side}、${move}へ。`,
  spokenDash: 'から',
  mistake: '悪手',
  blunder: '大悪手',
  deselected: '選択を解除しました。',
  refusedTarget: (to, from) => `${from}の駒は${to}へ動かせません。`,
  refusedSquare: (square) => `${square}に動かせる駒はありません。`,
  flipped: (side) => `手前は${side}です。`,
  hintPiece: (square) => `ヒント：${square}の駒です。`,
  hintMove: (move) => `ヒント：${move}です。`,

  players: '対局者',
  perfectPlayer: { name: 'パーフェクト', about: '決して間違えません。引き分けの局面では罠を仕掛けます。' },
  levelPlayer: (n) => ({
    name: `レベル${n}`,
    about:
      n === 1
        ? '一手で勝てるときも、たいてい見落とします。最初の対局におすすめです。'
        : n === 2
          ? '一手で勝てるときだけ気づきます。'
          : n === 3
            ? '一手での勝ちと、たいていの狙いに気づきます。'
            : `${n - 2}手以内に決まる勝ち負けを見通します。その先は、遠いほど見落とします。`,
  }),
  alsoCalled: (name, other) => `${name}（${other}）`,
  rulesPlayer: { name: 'ルールベース', about: '勝てるときは勝ち、負けを防ぎ、二重の狙いを作り、相手には作らせません。' },
  alphabetaPlayer: (n) => ({ name: `${n}手読み`, about: `${n}手先まですべて読み、その先は形勢判断で指します。` }),
  randomPlayer: { name: 'ランダム', about: '指せる手から無作為に選びます。' },
  weakestPlayer: { name: '最弱', about: '全力で負けにいきます。' },
  newGame: '新しい対局',
  resign: '投了',
  pause: '一時停止',
  go: '続ける',
  moves: '棋譜',
  noMoves: 'まだ一手も指されていません。',
  startPosition: '初期局面',

  allMoves: 'すべての手（よい順）',
  playBest: '最善手を指す',
  bestLine: '双方の最善手順',
  lineWon: (distance) => `終局まで${distance}`,
  lineDrawn: '以下、引き分け',
  repeats: '千日手',
  why: 'この手の理由',
  gameOver: '終局しています。',
  why_winNow: (side) => `この手で${side}の勝ちです。`,
  why_win: (side, distance) => `${side}の${distance}勝ちです。`,
  why_draw: '引き分けを保つ手です。',
  why_loss: (side, distance) => `どう指しても${side}の負けで、この手なら${distance}かかります。`,
  whyRepeats: '千日手で引き分けです。',
  whyOnlyWin: '勝てる手はこれだけです。',
  whyOnlyDraw: '負けない手はこれだけです。',
  whyThreatNow: (move) => `次に${move}で勝つ狙いがあります。`,
  whyThreat: (move, distance) => `次に${move}から${distance}で勝つ狙いがあります。`,
  whyStopsNow: (opponent, move) => `${opponent}の次の一手（${move}）での勝ちを防いでいます。`,
  whyStops: (opponent, move, distance) => `${opponent}の${move}からの${distance}勝ちを防いでいます。`,
  whyOnlyReply: (opponent, move) => `${opponent}の正しい応手は${move}だけです。`,
  whyReplies: (opponent, losing, total) => `${opponent}の応手${total}通りのうち${losing}通りが負けにつながります。`,
  whyLine: (line) => `以下、最善手順は ${line} です。`,
  whyLineCut: (line) => `以下、最善手順は ${line} …`,

  reviewEmpty: 'まず一局指すか、「共有」から棋譜を開いてください。勝敗の分かれ目がここに表示されます。',
  reviewing: (n, total) => `${total}手のうち${n}手を検討しました…`,
  reviewInexact: '局面の繰り返しが非常に多いため、一部の評価は正確ではありません。',
  reviewClean: '悪手はありません。どの手でも勝敗は変わっていません。',
  reviewCount: (side, mistakes, blunders) => `${side}：悪手${mistakes}、大悪手${blunders}`,
  reviewKey:
    '悪手（?）は勝ちが引き分けに、または引き分けが負けになった手、大悪手（??）は勝ちが負けになった手です。',
  graph: '形勢グラフ',
  graphUp: '黒勝ち',
  graphDown: '白勝ち',
  graphKey: '棒が長いほど早い勝ちです。',
  showBest: '最善手を見る',

  puzzleAskSave: '負けない手はひとつだけです。見つけてください。',
  puzzleRight: '正解です！',
  puzzleWrong_draw: (move) => `不正解：${move}では引き分けです。`,
  puzzleWrong_loss: (move) => `不正解：${move}では負けになります。`,
  puzzleShown: (move) => `正解は${move}です。`,
  puzzleNext: '次の問題',
  puzzleAgain: 'もう一度',
  puzzleShow: '正解を見る',
  puzzleExplore: 'この局面を調べる',
  streak: '連続正解',
  days: '連続日数',
  bestStreak: '最高',

  brush: '置く駒',
  erase: '消す',
  sideToMove: '手番',
  clear: '全部消す',
  notation: '局面の文字表記',
  editorHint: '置く駒を選んでからマスを選びます。マスの上では B、W、Delete キーも使えます。',
  editorReady: '有効な局面です。',
  editorOver: '有効な局面です（すでに終局しています）。',
  error_syntax: (at) => `局面として読めません（${at}文字目）。`,
  'error_black-count': (n, found) => `黒の駒は${n}個必要です（現在${found}個）。`,
  'error_white-count': (n, found) => `白の駒は${n}個必要です（現在${found}個）。`,
  error_won: (side) => `${side}はすでに勝っているので、${side}の手番にはできません。`,

  shareTitle: '共有と読み込み',
  link: 'この画面へのリンク',
  position: '局面',
  record: '棋譜',
  copy: 'コピー',
  copied: 'コピーしました',
  copyField: (field) => `${field}をコピー`,
  openLabel: 'リンク・局面・棋譜を開く',
  open: '開く',

  rulesTitle: 'ルール',
  numbersTitle: '数字の見方',
  keysTitle: 'キー操作',
  keysOn: '単独キーのショートカットを有効にする',

  explore: '解析',
  help: 'ルールとキー操作',
  menu: 'メニュー',
  editor: '局面編集',
  draw: '引き分け',
  comma: '、',
  count: (n) => n,
  steps: '手順の移動',
  undo: '一手戻す',
  redo: '一手進める',
  showValues: '評価',

  lessonTap: '駒をタップしてください。',
  lessonClick: '駒をクリックしてください。',
  lessonSlide: '動かしましょう。何かに当たるまで止まりません。',
  lessonWin: '3個並べば勝ち。見つけてください。',
  lessonWinMissed: '違います。3個並べてください。',
  lessonBlock: (move) => `白が${move}を狙っています。防いでください。`,
  lessonBlockMissed: (move) => `まだ白の${move}があります。防いでください。`,
  lessonDone: 'そのとおりです！',
  chooseOpponent: '相手を選ぶ',
  skip: 'スキップ',
  showLesson: '盤で試す',

  playAgainst: '対局相手',
  beginner: '入門',
  easy: '初級',
  medium: '中級',
  hard: '上級',
  perfect: 'パーフェクト',
  twoPlayers: '二人で対局',
  yourColour: 'あなたの色',
  blackFirst: '黒（先手）',
  randomColour: 'ランダム',
  more: 'そのほかの相手',
  start: '開始',
  versus: '対',
  you: 'あなた',
  humanPlayer: { name: '人間', about: '' },

  yourMove: 'あなたの番です',
  warning: (side, move) => `次に${side}の${move}で負けになります。`,
  warningAsk: 'このまま指しますか？',
  playAnyway: 'このまま指す',
  otherMove: '別の手を選ぶ',
  warnings: '負ける手の警告',
  toMove: (side) => `${side}の番です`,
  thinking: (side) => `考え中：${side}`,
  youWon: (n) => (n ? `${n}手であなたの勝ち` : 'あなたの勝ち'),
  opponentWon: (name) => `相手（${name}）の勝ち`,
  sideWon: (side) => `${side}の勝ち`,
  youResigned: 'あなたの投了です。',
  had_win: (n) => `${n}回目の手番までは勝ちでした。`,
  had_draw: (n) => `${n}回目の手番までは引き分けでした。`,
  takeBack: (n) => `${n}回目の手番からやり直す`,
  endDetail_won: (n, _, board) => `${n}手で${jaGoal(board)}ました。`,
  endDetail_resigned: (n, loser) => `${n}手まで、${loser}の投了です。`,
  rematch: 'もう一局',
  swap: '先後を交代',
  against: (name, won, drawn, lost) => `${name}との成績：${won}勝${lost}敗${drawn}分`,
  playNext: (name) => `${name}と対局`,
  latest: '最新の手へ',
  resume: '自分の対局に戻る',
  variation: '別の手順',

  playFromHere: 'ここから対局',
  inPliesSwitch: '手数で数える',
  seenBefore: '既出',
  replies: (side) => `${side}の応手`,
  replies_loss: (n) => `負け${n}`,
  replies_draw: (n) => `引き分け${n}`,
  replies_win: (n) => `勝ち${n}`,
  playLine: '手順を再生',
  loop: '繰り返す',
  backToGame: '対局に戻る',
  why_win_to_draw: () => '勝ちを逃し、引き分けになります。',
  why_win_to_loss: (opponent, distance) => `勝ちから一転、${opponent}の${distance}勝ちになります。`,
  why_draw_to_loss: (opponent, distance) => `引き分けを逃し、${opponent}の${distance}勝ちになります。`,
  whyBest_win: (best) => `${best}なら勝ちでした。`,
  whyBest_draw: (best) => `${best}なら引き分けでした。`,

  best: (move) => `${move}が最善`,
  reviewChanged: (n, total) => `${total}手のうち${n}手で勝敗が変わりました。`,
  youPlayed: (side, move) => `${side}：${move}`,
  showMe: '理由を見る',
  tryAgain: '指し直す',
  previousMistake: '前の悪手',
  nextMistake: '次の悪手',
  reviewTry_win: '勝ちを保つ手を見つけてください。',
  reviewTry_draw: '引き分けを保つ手を見つけてください。',
  reviewKept_win: (move, distance) => `${move}なら${distance}勝ちです。`,
  reviewKept_draw: (move) => `${move}なら引き分けを保てます。`,

  puzzleKind: 'ほかの問題',
  grade_easy: '初級',
  grade_medium: '中級',
  grade_hard: '上級',
  grade_expert: '達人',
  grade_save: '引き分けに持ち込む',
  gradeNote_easy: '3手で勝ち。',
  gradeNote_medium: '5手で勝ち。',
  gradeNote_hard: '7手または9手で勝ち。',
  gradeNote_expert: '11手以上で勝ち。',
  gradeNote_save: '負けない手はひとつだけです。',
  puzzleAskWin: (n) => `${n}手で勝つ手順です。初手はひとつだけです。`,
  puzzleLoading: '問題を探しています…',
  puzzleAskRest: (n) => `あと${n}手で勝ちです。`,
  puzzleGoOn: '正解です！続けてください。',
  puzzleWon: '勝ちを見つけました。',
  puzzleSaved: '引き分けに持ち込みました。',
  puzzleDaily: '今日の問題',
  puzzleDailyDone: '今日の問題（正解済み）',
  puzzleSkip: '別の問題',
  hint: 'ヒント',
  rating: 'レーティング',

  statistics: '成績',
  gamesPlayed: '対局',
  noGames: '終えた対局はまだありません。',
  won: '勝ち',
  drawn: '引き分け',
  lost: '負け',
  solved: '正解',
  failed: '不正解',
  export: 'ファイルに保存',
  delete: '削除',
  deleteSure: '本当に削除しますか',
  keptHere: 'すべてこの端末だけに保存されます。',
  sound: '音',
  vibration: '振動',

  localLink: 'このリンクはこの端末でしか開けません。棋譜か局面を送ってください。',
  shareNative: 'リンクを送る',
  tooManyMoves: (most) => `このページで開けるのは${most}手までの棋譜です。`,
  openFailed: () => 'リンク・局面・棋譜のいずれとしても読み込めません。',
  standardGame: '標準の盤に戻る',
  seconds: (n) => `${n} 秒`,
  minutes: (n) => `${n} 分`,
  boardPieces: (n) => `駒${n}個`,
  boardRow: (n) => `${n}個並べ`,
  lab_width: '幅',
  lab_height: '高さ',
  lab_pieces: '駒',
  lab_row: '並べる数',
  lab_win: '勝ちの条件',
  win_line: '縦横斜め',
  win_orthogonal: '縦横のみ',
  win_diagonal: '斜めのみ',
  win_equidistant: '等間隔',
  win_centre: '中央',
  refused_full: '駒が多すぎます。駒を減らすか、盤を大きくしてください。',
  refused_equidistant: 'この条件には各側3個の駒が必要です。',
  refused_centre: 'この条件には、中央のマスがある5または7の幅と高さが必要です。',
  refused_memory: (needed, limit) =>
    `この盤には${needed}のメモリーが必要ですが、このブラウザーで使えるのは${limit}までです。盤か駒を減らすか、解析プログラムで作ったファイルを開いてください。`,
  labUnsolved: '未解析',
  labWorking: '解析中',
  labLooking: 'この端末の解析結果を探しています…',
  labSolve: 'この端末で解析する',
  labEstimate: (positions, memory, time) => `${positions}局面、メモリー${memory}${time && `、約${time}`}`,
  labSolving: (ply, decided, total) => `${ply}手：${total}局面のうち${decided}が決まりました。`,
  lab_traps: 'パーフェクトの罠を準備しています',
  lab_writing: '結果を書き出しています',
  labCancel: '中止',
  labCancelled: '中止しました。何も変わっていません。',
  labFailed_memory: 'この端末の空きメモリーが足りません。ほかのページを閉じるか、小さい盤を選んでください。',
  labFailed_refused: () => 'この盤は解析できません。',
  labFailed_damaged: 'このファイルは解析結果ファイルではないか、破損しています。何も変わっていません。',
  labFailed_unsupported: 'お使いのブラウザーは古いため解析できません。',
  labFailed_failed: () => '失敗しました。もう一度お試しください。',
  labFull: '保存先がいっぱいか、上限を超えているため、解析結果は保存されません。ページを閉じるまで対局できます。',
  labDenied: 'このブラウザーでは解析結果を保存できません。ページを閉じるまで対局でき、ファイルに保存することもできます。',
  labDamaged: '解析結果ファイルが壊れているため、標準の盤に戻りました。',
  labReading: '解析結果ファイルを読み込んでいます',
  labTooLarge: '最長手数の局面の例と、（この端末で解析した盤を除き）手数ごとの局面数は、ファイル全体を読む必要があるため表示しません。',
  useAsStart: 'ここを初期局面にする',
  labProposed: '提案された初期局面に戻す',
  labPlay: 'この盤で対局',
  labShowLongest: '最長手数の局面を見る',
  labSave: (size) => `ファイルに保存（${size}）`,
  labPositions: '局面',
  labPlies: '終局までの手数',
  labWins: '勝ち',
  labLosses: '負け',
  labDraws: '引き分け',
  labFirst: '正しい初手',
  labFirstOf: (good, all) => `${all}手のうち${good}手`,
  labLongest: '最長',
  labByDistance: '終局までの手数ごとの局面数',
  labCurve: (most, ply, last) => `終局までの手数ごとの局面数：${ply}手が${most}局面で最多、最長は${last}手です。`,
  labCurveKey: (last) => `左から0～${last}手（対数目盛り）`,
  labNumbers: 'すべての数',
  labCompare: '比べる盤',
  labNothing: 'なし',
  labCompareHint: '別の盤を解析すると、ふたつを比べられます。',
  labKept: 'この端末にある解析結果',
  labUsed: (used, budget) => `${budget}のうち${used}を使用中`,
  labBudget: '上限',
  labEmpty: 'すべて削除',
  labOpen: '解析結果ファイルを開く',
  labFile: 'この端末のファイル（2 GB まで）',
  labUrl: 'このサイトのファイル',
  labForeign: '開けるのはこのサイトのファイルだけです。ダウンロードしてから開いてください。',
  puzzleNone: '問題がありません',
  puzzleTooLarge: '大きい盤なので、無作為に選んだ局面の近くだけを探しました。もう一度探すか、別の難易度をお試しください。',
  puzzleNoneNote: 'この盤にはこの難易度の問題がありません。',
  puzzleUnread: '解析結果ファイルを読めませんでした。',
  badLink: 'リンクに指せない手や局面が含まれています。読める部分だけを表示します。',

  rules: (board) => [
    `駒は黒白それぞれ${board.pieces}個。縦・横・斜めの8方向に滑り、盤の端か他の駒に当たるまで止まりません。`,
    `${jaRule(board)}先手は黒です。`,
    '同一局面が3回現れると、千日手で引き分けです。',
  ],
  numbers:
    'このゲームは完全に解析されています。「勝13」は手番側の13手勝ち、「負22」は22手負け、「分」は引き分けを表します（いずれも双方最善の場合）。黒または白が1回動かすことを1手と数えます。',
  keys: [
    ['← →', '前の手・次の手'],
    ['Home End', '最初の手・最後の手'],
    ['G', '盤へ移動'],
    ['← ↑ → ↓', '盤上：マスの移動'],
    ['Enter', '駒を選ぶ・動かす'],
    ['Esc', '選択を解除'],
    ['U', '一手戻す'],
    ['R', '一手進める'],
    ['N', '新しい対局・次の問題'],
    ['F', '盤を反転'],
    ['X', '対局中に評価を表示'],
    ['B', '最善手を指す（評価表示中）'],
    ['1 2 3 4 5', '対局・検討・問題・解析・研究'],
    ['S', '共有と読み込み'],
    ['?', 'この画面を表示'],
  ],
};

/** @type {Record<string, Record<string, Text>>} */
export const languages = { en, ja };
let current = 'en';

/** @param {string} language */
export function setLanguage(language) {
  current = Object.hasOwn(languages, language) ? language : 'en';
  document.documentElement.lang = current;
}

/**
 * Whether there is a text with this key.
 * @param {string} key
 */
export const hasText = (key) => Object.hasOwn(languages[current], key);

/**
 * What the key stands for; most keys, and all that are composed, are those of strings.
 * @template {string} Key
 * @typedef {Key extends keyof typeof en
 *   ? ((typeof en)[Key] extends (...values: any[]) => infer Result ? Result : (typeof en)[Key])
 *   : string} TextOf
 */

/**
 * The text of the key in the language of the page. An unknown key is a programming error.
 * @template {string} Key
 * @param {Key} key
 * @param {any[]} values
 * @returns {TextOf<Key>}
 */
export function t(key, ...values) {
  const text = languages[current][key];
  if (text === undefined) throw new RangeError(`${current} has no text ${key}`);
  return /** @type {any} */ (typeof text === 'function' ? text(...values) : text);
}

/** The other language, with its name in that language. */
export const otherLanguage = () =>
  current === 'en' ? { code: 'ja', name: ja.language } : { code: 'en', name: en.language };
