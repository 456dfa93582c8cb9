// All texts of the page in each language. A text with values to insert is a function.
//
// Distances are given in plies. English texts convert them to moves, except in Explore. Japanese texts always count
// plies, as is usual in shogi.

const plural = (n, one, many) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
const plies = (n) => plural(n, 'ply', 'plies');
/** A win in 2n-1 plies and a loss in 2n plies take n moves. */
const moves = (n) => Math.ceil(n / 2);

const en = {
  language: 'English',
  between: ' ', // two sentences
  stop: '.',
  title: 'Neutreeko',
  share: 'Share',
  help: 'Help and keys',
  views: 'Views',
  play: 'Play',
  review: 'Review',
  puzzles: 'Puzzles',
  editor: 'Editor',
  explore: 'Explore',
  close: 'Close',
  theme_auto: 'Theme: system',
  theme_light: 'Theme: light',
  theme_dark: 'Theme: dark',
  failed_unsupported:
    'This browser is too old for Neutreeko. Please open the page in a current version of Chrome, Edge, Firefox or Safari.',
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
  steps: 'Undo and redo',
  undo: 'Undo',
  redo: 'Redo',
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

  toMove: (side) => `${side} to move`,
  thinking: (side) => `${side} is thinking`,
  end_row: (winner) => `${winner} wins`,
  endDetail_row: (n) => `Three in a row, in ${plural(moves(n), 'move', 'moves')}.`,
  end_resigned: (winner) => `${winner} wins`,
  endDetail_resigned: (n, loser) => `${loser} resigned.`,
  end_repetition: 'Draw',
  endDetail_repetition: 'Draw by threefold repetition.',
  end_stuck: 'Draw',
  endDetail_stuck: (n, side) => `${side} has no legal moves.`,
  repeated: 'This position has occurred twice. A third time is a draw.',
  spokenMove: (side, move) => `${side} ${move.replace('-', ' to ')}.`,

  players: 'Players',
  humanPlayer: { name: 'You', about: '' },
  perfectPlayer: { name: 'Perfect', about: 'Never makes a mistake, and sets traps when the game is drawn.' },
  levelPlayer: (n) => ({
    name: `Level ${n}: ${['', 'newcomer', 'beginner', 'learner', 'casual', 'club player', 'strong', 'expert', 'master', 'grandmaster'][n]}`,
    about:
      n === 1
        ? 'Does not look ahead. Good for your first games.'
        : n === 2
          ? 'Sees a win in one move, and nothing else.'
          : `Looks ${plies(n - 1)} ahead; longer plans beat it.`,
  }),
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
  lineWon: (n) => `${plies(n)} to the end of the game`,
  lineDrawn: 'The game remains drawn.',
  repeats: 'repetition',
  why: 'Why',
  gameOver: 'The game is over.',
  why_winNow: (side) => `${side} wins at once.`,
  why_win: (side, distance) => `${side} wins in ${distance}.`,
  why_draw: 'Keeps the draw.',
  why_loss: (side, distance) => `${side} still loses, in ${distance}.`,
  why_win_to_draw: (opponent, distance, best) => `Throws away the win: the game is now a draw. ${best} would have won.`,
  why_win_to_loss: (opponent, distance, best) =>
    `Turns a win into a loss: ${opponent} wins in ${distance}. ${best} would have won.`,
  why_draw_to_loss: (opponent, distance, best) =>
    `Throws away the draw: ${opponent} wins in ${distance}. ${best} would have drawn.`,
  whyRepeats: 'Draw by threefold repetition.',
  whyOnlyWin: 'It’s the only move that wins.',
  whyOnlyDraw: 'It’s the only move that doesn’t lose.',
  whyThreatNow: (move) => `It threatens to win with ${move}.`,
  whyThreat: (move, distance) => `It threatens ${move}, winning in ${distance}.`,
  whyStopsNow: (opponent, move) => `It stops ${opponent} from winning with ${move}.`,
  whyStops: (opponent, move, distance) => `It stops ${opponent}’s ${move}, which would win in ${distance}.`,
  whyOnlyReply: (opponent, move) => `${opponent}’s only good reply is ${move}.`,
  whyReplies: (opponent, losing, total) => `${losing} of ${opponent}’s ${total} replies lose${losing === 1 ? 's' : ''}.`,
  whyLine: (line) => `Best continuation: ${line}.`,
  whyLineCut: (line) => `Best continuation: ${line} \u2026`,

  reviewEmpty: 'Play a game first, or open one with “Share”. Then see here where it was decided.',
  reviewClean: 'No mistakes.',
  reviewCount: (side, mistakes, blunders) =>
    `${side}: ${plural(mistakes, 'mistake', 'mistakes')}, ${plural(blunders, 'blunder', 'blunders')}`,
  reviewKey: 'A mistake (?) throws away a win or a draw. A blunder (??) turns a win into a loss.',
  graph: 'Graph of the game',
  graphLabel: 'Who is winning after each move. The list of moves below gives the same information.',
  graphUp: 'Black wins',
  graphDown: 'White wins',
  graphKey: 'Longer bar = quicker win.',
  best: (move) => `best: ${move}`,
  showBest: 'Show best move',

  puzzleKind: 'Difficulty',
  puzzleSave: 'Save the draw',
  puzzleWin: (n) => `Win in ${moves(n)}`,
  puzzleTotal: (n) => plural(n, 'puzzle', 'puzzles'),
  puzzleAskWin: (n) => `Find the move that wins in ${moves(n)}.`,
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
  bestStreak: 'Best',

  brush: 'Place',
  erase: 'Empty',
  sideToMove: 'To move',
  clear: 'Clear',
  notation: 'Position as text',
  usePosition: 'Play from here',
  editorHint: 'Choose a piece, then select squares. Or press B, W or Delete on a square.',
  editorReady: 'Legal position.',
  editorOver: 'Legal position; the game is already over.',
  error_syntax: (at) => `Invalid position: check character ${at}.`,
  'error_black-count': (n, found) => `Black must have ${n} pieces but has ${found}.`,
  'error_white-count': (n, found) => `White must have ${n} pieces but has ${found}.`,
  error_won: (side) => `${side} already has three in a row, so it can’t be ${side}’s turn.`,

  shareTitle: 'Share and open',
  link: 'Link to this page',
  position: 'Position',
  record: 'Game',
  copy: 'Copy',
  copied: 'Copied',
  copyField: (field) => `Copy: ${field}`,
  openLabel: 'Open a link, position or game',
  open: 'Open',
  openFailed: (error) => `Couldn’t read that as a link, position or game. ${error}`,
  badLink: 'Part of this link is invalid. The page shows the rest.',

  rules: [
    'Each side has three pieces. Black moves first. A piece slides in any of the eight directions until it hits the edge or another piece.',
    'Get your three pieces in an unbroken line, straight or diagonal, and you win.',
    'If the same position occurs for the third time, the game is a draw.',
  ],
  rulesTitle: 'Rules',
  numbersTitle: 'Numbers',
  numbers:
    'The game is solved. With best play by both sides, W 13 means that the side to move wins in 13 plies, L 22 that it loses in 22 plies, and D that the game is a draw. A ply is one move by one side: a win in 13 plies takes the winner 7 moves.',
  keysTitle: 'Keys',
  keysOn: 'Enable single-key shortcuts',
  keys: [
    ['← ↑ → ↓', 'Go to the next square'],
    ['Enter', 'Pick up or put down a piece'],
    ['Esc', 'Deselect the piece'],
    ['U', 'Undo'],
    ['R', 'Redo'],
    ['N', 'New game; next puzzle'],
    ['F', 'Flip board'],
    ['X', 'Turn Explore on or off'],
    ['B', 'Play best move (in Explore)'],
    ['G', 'Go to the board'],
    ['1 2 3 4', 'Play, Review, Puzzles, Editor'],
    ['S', 'Share and open'],
    ['?', 'Show this help'],
  ],
};

const ja = {
  language: '日本語',
  between: '',
  stop: '。',
  title: 'ニュートリーコ',
  share: '共有',
  help: 'ヘルプとキー操作',
  views: '画面',
  play: '対局',
  review: '検討',
  puzzles: '問題',
  editor: '局面編集',
  explore: '解析',
  close: '閉じる',
  theme_auto: '配色：システム設定に合わせる',
  theme_light: '配色：ライト',
  theme_dark: '配色：ダーク',
  failed_unsupported:
    'お使いのブラウザーは古いため動作しません。最新の Chrome、Edge、Firefox、Safari でお開きください。',
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
  steps: '手順の移動',
  undo: '一手戻す',
  redo: '一手進める',
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

  toMove: (side) => `${side}の番です`,
  thinking: (side) => `${side}が考えています`,
  end_row: (winner) => `${winner}の勝ち`,
  endDetail_row: (n) => `${n}手で3個並びました。`,
  end_resigned: (winner) => `${winner}の勝ち`,
  endDetail_resigned: (n, loser) => `${n}手まで、${loser}の投了です。`,
  end_repetition: '引き分け',
  endDetail_repetition: '千日手で引き分けです。',
  end_stuck: '引き分け',
  endDetail_stuck: (n, side) => `${side}に動かせる駒がありません。`,
  repeated: 'この局面は2回目です。3回目で千日手となり、引き分けです。',
  spokenMove: (side, move) => `${side}、${move.replace('-', 'から')}へ。`,

  players: '対局者',
  humanPlayer: { name: '人間', about: '' },
  perfectPlayer: { name: 'パーフェクト', about: '決して間違えません。引き分けの局面では罠を仕掛けます。' },
  levelPlayer: (n) => ({
    name: `レベル${n}：${['', 'はじめて', '入門', '初級', '中級', '上級', '有段', '高段', '名手', '達人'][n]}`,
    about:
      n === 1
        ? '先を読みません。最初の一局に。'
        : n === 2
          ? '一手で勝てるときだけ気づきます。'
          : `${n - 1}手以内に決まる勝ち負けを見通します。その先は間違えることがあります。`,
  }),
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
  lineWon: (n) => `終局まで${n}手`,
  lineDrawn: '以下、引き分け',
  repeats: '千日手',
  why: 'この手の理由',
  gameOver: '終局しています。',
  why_winNow: (side) => `この手で${side}の勝ちです。`,
  why_win: (side, distance) => `${side}の${distance}勝ちです。`,
  why_draw: '引き分けを保つ手です。',
  why_loss: (side, distance) => `どう指しても${side}の負けで、この手なら${distance}かかります。`,
  why_win_to_draw: (opponent, distance, best) => `勝ちを逃し、引き分けになります。${best}なら勝ちでした。`,
  why_win_to_loss: (opponent, distance, best) =>
    `勝ちから一転、${opponent}の${distance}勝ちになります。${best}なら勝ちでした。`,
  why_draw_to_loss: (opponent, distance, best) =>
    `引き分けを逃し、${opponent}の${distance}勝ちになります。${best}なら引き分けでした。`,
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
  reviewClean: '悪手はありません。どの手でも勝敗は変わっていません。',
  reviewCount: (side, mistakes, blunders) => `${side}：悪手${mistakes}、大悪手${blunders}`,
  reviewKey: '悪手（?）は勝ちまたは引き分けを逃した手、大悪手（??）は勝ちが負けになった手です。',
  graph: '形勢グラフ',
  graphLabel: '各手の後の形勢。下の棋譜と同じ内容です。',
  graphUp: '黒勝ち',
  graphDown: '白勝ち',
  graphKey: '棒が長いほど早い勝ちです。',
  best: (move) => `${move}が最善`,
  showBest: '最善手を見る',

  puzzleKind: '難易度',
  puzzleSave: '引き分けに持ち込む',
  puzzleWin: (n) => `${n}手で勝つ`,
  puzzleTotal: (n) => `全${n.toLocaleString('ja')}問`,
  puzzleAskWin: (n) => `${n}手で勝つ手を見つけてください。`,
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
  bestStreak: '最高',

  brush: '置く駒',
  erase: '消す',
  sideToMove: '手番',
  clear: '全部消す',
  notation: '局面の文字表記',
  usePosition: 'ここから対局',
  editorHint: '置く駒を選んでからマスを選びます。マスの上では B、W、Delete キーも使えます。',
  editorReady: '有効な局面です。',
  editorOver: '有効な局面です（すでに終局しています）。',
  error_syntax: (at) => `局面として読めません（${at}文字目）。`,
  'error_black-count': (n, found) => `黒の駒は${n}個必要です（現在${found}個）。`,
  'error_white-count': (n, found) => `白の駒は${n}個必要です（現在${found}個）。`,
  error_won: (side) => `${side}はすでに3個並んでいるので、${side}の手番にはできません。`,

  shareTitle: '共有と読み込み',
  link: 'この画面へのリンク',
  position: '局面',
  record: '棋譜',
  copy: 'コピー',
  copied: 'コピーしました',
  copyField: (field) => `${field}をコピー`,
  openLabel: 'リンク・局面・棋譜を開く',
  open: '開く',
  openFailed: (error) => `リンク・局面・棋譜のいずれとしても読み込めません。${error}`,
  badLink: 'リンクに指せない手や局面が含まれています。読める部分だけを表示します。',

  rules: [
    '駒は黒白それぞれ3個。縦・横・斜めの8方向に滑り、盤の端か他の駒に当たるまで止まりません。',
    '自分の駒を縦・横・斜めに3個隙間なく並べると勝ちです。先手は黒です。',
    '同一局面が3回現れると、千日手で引き分けです。',
  ],
  rulesTitle: 'ルール',
  numbersTitle: '数字の見方',
  numbers:
    'このゲームは完全に解析されています。「勝13」は手番側の13手勝ち、「負22」は22手負け、「分」は引き分けを表します（いずれも双方最善の場合）。黒または白が1回動かすことを1手と数えます。',
  keysTitle: 'キー操作',
  keysOn: '単独キーのショートカットを有効にする',
  keys: [
    ['← ↑ → ↓', 'マスの移動'],
    ['Enter', '駒を選ぶ・動かす'],
    ['Esc', '選択を解除'],
    ['U', '一手戻す'],
    ['R', '一手進める'],
    ['N', '新しい対局・次の問題'],
    ['F', '盤を反転'],
    ['X', '解析の表示を切り替え'],
    ['B', '最善手を指す（解析中）'],
    ['G', '盤へ移動'],
    ['1 2 3 4', '対局・検討・問題・局面編集'],
    ['S', '共有と読み込み'],
    ['?', 'このヘルプ'],
  ],
};

const languages = { en, ja };
let current = 'en';

export function setLanguage(language) {
  current = language in languages ? language : 'en';
  document.documentElement.lang = current;
}

/** Whether there is a text with this key. */
export const hasText = (key) => key in languages[current];

/** The text of the key in the language of the page. An unknown key is a programming error. */
export function t(key, ...values) {
  const text = languages[current][key];
  if (text === undefined) throw new RangeError(`${current} has no text ${key}`);
  return typeof text === 'function' ? text(...values) : text;
}

/** Translates the elements: data-t names the text of the content, data-t-label that of the label and the tooltip. */
export function translate(root) {
  for (const element of root.querySelectorAll('[data-t]')) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll('[data-t-label]')) {
    element.setAttribute('aria-label', t(element.dataset.tLabel));
    if (element.matches('button')) element.title = t(element.dataset.tLabel);
  }
}

/** The other language, with its name in that language. */
export const otherLanguage = () =>
  current === 'en' ? { code: 'ja', name: ja.language } : { code: 'en', name: en.language };
