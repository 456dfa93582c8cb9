// Every sentence of the page, in each language. A text with something to fill in is a function.

const plies = (n) => `${n} ${n === 1 ? 'ply' : 'plies'}`;

const morePlies = (n) => `${n} more ${n === 1 ? 'ply' : 'plies'}`;

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
  theme_auto: 'Theme: as the device',
  theme_light: 'Theme: light',
  theme_dark: 'Theme: dark',
  failed_unsupported:
    'This browser is too old for Neutreeko. Please open the page in a current Chrome, Edge, Firefox or Safari.',
  failed_damaged:
    'This copy of the page is damaged: the table of the solved game is not what it should be. Nothing is played from it. Please get the page again.',
  failed_failed: 'Neutreeko could not start. Please load the page again.',
  failure: 'Neutreeko cannot start',

  board: 'Board',
  black: 'Black',
  white: 'White',
  blackPiece: 'black piece',
  whitePiece: 'white piece',
  empty: 'empty',
  lastMove: 'last move',
  picked: 'picked up',
  canMoveHere: 'can move here',
  steps: 'Through the game',
  undo: 'Take back',
  redo: 'Play again',
  flip: 'Turn the board',

  winLetter: 'W',
  drawLetter: 'D',
  lossLetter: 'L',
  winWords: (n) => `wins in ${plies(n)}`,
  drawWords: 'draws',
  lossWords: (n) => `loses in ${plies(n)}`,
  drawOutcome: 'A draw with best play',
  winOutcome: (side, n) => `${side} wins in ${plies(n)} with best play`,

  toMove: (side) => `${side} to move`,
  thinking: (side) => `${side} is thinking`,
  wins_row: (side) => `${side} wins`,
  sub_row: (n) => `Three in a row, after ${plies(n)}.`,
  wins_resigned: (side) => `${side} wins`,
  sub_resigned: (n, loser) => `${loser} resigned after ${plies(n)}.`,
  wins_repetition: () => 'A draw',
  sub_repetition: () => 'The same position has occurred three times.',
  wins_stuck: () => 'A draw',
  sub_stuck: (n, side) => `${side} has no move.`,
  repeated: 'This position has occurred twice. The third time is a draw.',
  spokenMove: (side, move) => `${side} ${move.replace('-', ' to ')}.`,

  players: 'Players',
  human: 'Person',
  humanAbout: 'Moves on this board.',
  perfectOpponent: { name: 'Perfect', about: 'Never errs, and sets traps in drawn positions.' },
  levelOpponent: (n) => ({
    name: `Level ${n}: ${['', 'newcomer', 'beginner', 'learner', 'casual', 'club player', 'strong', 'expert', 'master', 'grandmaster'][n]}`,
    about:
      n === 1
        ? 'Sees nothing ahead. For the first games.'
        : n === 2
          ? 'Sees a win on the move and nothing more.'
          : `Sees whatever is decided within ${plies(n - 1)}; beyond that it can be misled.`,
  }),
  rulesOpponent: { name: 'Rules of thumb', about: 'Wins at once, stops a loss, makes and prevents double threats.' },
  minimaxOpponent: (n) => ({
    name: `Search of ${plies(n)}`,
    about: `Looks at everything within ${plies(n)} and guesses beyond.`,
  }),
  alphabetaOpponent: (n) => ({
    name: `Search of ${plies(n)}`,
    about: `Looks at everything within ${plies(n)} and guesses beyond.`,
  }),
  randomOpponent: { name: 'Random', about: 'Any move that the rules allow.' },
  weakestOpponent: { name: 'Upside down', about: 'Does its best to lose.' },
  newGame: 'New game',
  resign: 'Resign',
  pause: 'Pause',
  go: (side) => `Let ${side} move`,
  moves: 'Moves',
  noMoves: 'No move has been played yet.',
  startPosition: 'Start position',

  allMoves: 'Every move, best first',
  bestMove: 'Play the best move',
  bestLine: 'Best play for both sides',
  lineFollow: (n) => `${plies(n)} to the end of the game`,
  lineDrawn: 'and so on: a draw',
  repeats: 'third time',
  why: 'Why',
  gameOver: 'The game is over: there is no move to look at.',
  why_win: (me, you, n) => (n === 1 ? `${me} wins at once.` : `${me} wins in ${plies(n)}.`),
  why_draw: () => 'This holds the draw.',
  why_loss: (me, you, n) => `${me} is lost all the same, in ${plies(n)}.`,
  why_win_to_draw: (me, you, n, best) => `This gives the win away: now it is a draw. ${best} would have won.`,
  why_win_to_loss: (me, you, n, best) =>
    `This turns a win into a loss: ${you} wins in ${morePlies(n - 1)}. ${best} would have won.`,
  why_draw_to_loss: (me, you, n, best) =>
    `This gives the draw away: ${you} wins in ${morePlies(n - 1)}. ${best} would have held.`,
  whyRepeats: 'The position occurs for the third time: a draw.',
  whyOnlyWin: 'It is the only move that wins.',
  whyOnlyDraw: 'It is the only move that holds.',
  whyThreat: (me, move, n) =>
    n === 1 ? `It threatens ${move}, winning at once.` : `It threatens ${move}, winning in ${plies(n)}.`,
  whyStops: (you, move, n) =>
    n === 1
      ? `It stops ${you}’s ${move}, which would win at once.`
      : `It stops ${you}’s ${move}, which would win in ${plies(n)}.`,
  whyOnlyReply: (you, move) => `${you} has a single good reply, ${move}.`,
  whyReplies: (you, losing, total) => `${losing} of ${you}’s ${total} replies lose${losing === 1 ? 's' : ''}.`,
  whyLine: (line) => `Best play goes on ${line}.`,
  whyLineCut: (line) => `Best play goes on ${line} \u2026`,

  reviewEmpty: 'Play a game first, or open one under “Share”; then you see here where it was decided.',
  reviewClean: 'Nothing was given away: every move kept its result.',
  reviewCount: (side, errors, blunders) => `${side}: ${errors} × ?, ${blunders} × ??`,
  reviewKey: '? gave away a win or a draw, ?? turned a win into a loss.',
  graph: 'The game as a graph',
  graphWords: (n) => `Who stood to win after each of ${plies(n)}. The list of moves below says the same.`,
  graphUp: 'Black wins',
  graphDown: 'White wins',
  graphNear: 'The farther from the middle, the nearer the end.',
  better: (move) => `better ${move}`,
  showBetter: 'Show the better move',

  puzzleKind: 'Difficulty',
  puzzleSave: 'Hold the draw',
  puzzleWin: (n) => (n === 1 ? 'Win at once' : `Win in ${plies(n)}`),
  puzzleTotal: (n) => `${n.toLocaleString('en')} puzzles`,
  puzzleAskWin: (n) => (n === 1 ? 'One move wins at once. Find it.' : `One move wins, in ${plies(n)}. Find it.`),
  puzzleAskSave: 'Every move but one loses. Find the one that holds.',
  puzzleRight: 'That is it!',
  puzzleWrong: (move) => `${move} is not it.`,
  puzzleShown: (move) => `The answer is ${move}.`,
  puzzleNext: 'Next puzzle',
  puzzleAgain: 'Try again',
  puzzleShow: 'Show the answer',
  puzzleExplore: 'Explore it',
  streak: 'In a row',
  bestStreak: 'Best',

  brush: 'Place',
  erase: 'Empty',
  sideToMove: 'To move',
  clear: 'Clear',
  notation: 'Position as text',
  usePosition: 'Play from here',
  editorHint: 'Choose what to place, then the squares. On a square the keys B, W and Delete do the same.',
  editorReady: 'This position can occur.',
  editorOver: 'This position can occur; the game is already over in it.',
  error_syntax: (at) => `That is no position: something else was expected at character ${at}.`,
  'error_black-count': (n, found) => `Black must have ${n} pieces and has ${found}.`,
  'error_white-count': (n, found) => `White must have ${n} pieces and has ${found}.`,
  error_won: (side) => `${side} already has three in a row and cannot be the one to move.`,

  shareTitle: 'Share and open',
  link: 'Link to this page as it is',
  position: 'Position',
  record: 'Game',
  copy: 'Copy',
  copied: 'Copied',
  copyWhat: (what) => `Copy: ${what}`,
  openLabel: 'Open a link, a position or a game',
  open: 'Open',
  openFailed: (error) => `That is no link, no position and no game that could be opened. ${error}`,
  badLink: 'The link holds something that cannot be played; the rest is shown.',

  rules: [
    'Each side has three pieces. A piece slides in any of the eight directions and stops only at the edge or before another piece.',
    'Whoever gets three of their own pieces in an unbroken line, straight or diagonal, wins. Black begins.',
    'When the same position occurs for the third time, the game is a draw.',
  ],
  rulesTitle: 'The rules',
  numbersTitle: 'The numbers',
  numbers:
    'The game is solved: W 13 says that the side to move wins in 13 plies, L 22 that it loses in 22, D that it is a draw, with best play by both. A ply is one move by one side.',
  keysTitle: 'Keys',
  keysOn: 'Single keys work everywhere on the page',
  keys: [
    ['← ↑ → ↓', 'from square to square'],
    ['Enter', 'pick up a piece; put it down'],
    ['Esc', 'let go of the piece'],
    ['U', 'take back'],
    ['R', 'play again'],
    ['N', 'new game; next puzzle'],
    ['F', 'turn the board'],
    ['X', 'explore on or off'],
    ['B', 'play the best move (exploring)'],
    ['G', 'to the board'],
    ['1 2 3 4', 'Play, Review, Puzzles, Editor'],
    ['S', 'share and open'],
    ['?', 'this page'],
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
  theme_auto: '配色：端末に合わせる',
  theme_light: '配色：ライト',
  theme_dark: '配色：ダーク',
  failed_unsupported:
    'お使いのブラウザーは古いため動作しません。最新の Chrome、Edge、Firefox、Safari でお開きください。',
  failed_damaged:
    'このファイルは破損しています。完全解析のデータが正しくないため、対局には使えません。ファイルを入手し直してください。',
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

  winLetter: '勝',
  drawLetter: '分',
  lossLetter: '負',
  winWords: (n) => `${n}手で勝ち`,
  drawWords: '引き分け',
  lossWords: (n) => `${n}手で負け`,
  drawOutcome: '双方最善で引き分け',
  winOutcome: (side, n) => `双方最善で${side}の${n}手勝ち`,

  toMove: (side) => `${side}の番です`,
  thinking: (side) => `${side}が考えています`,
  wins_row: (side) => `${side}の勝ち`,
  sub_row: (n) => `${n}手で3つ並びました。`,
  wins_resigned: (side) => `${side}の勝ち`,
  sub_resigned: (n, loser) => `${n}手まで、${loser}の投了です。`,
  wins_repetition: () => '引き分け',
  sub_repetition: () => '同一局面が3回現れました。',
  wins_stuck: () => '引き分け',
  sub_stuck: (n, side) => `${side}に動かせる駒がありません。`,
  repeated: 'この局面は2回目です。3回目で引き分けになります。',
  spokenMove: (side, move) => `${side}、${move.replace('-', 'から')}へ。`,

  players: '対局者',
  human: '人',
  humanAbout: 'この盤で指します。',
  perfectOpponent: { name: 'パーフェクト', about: '決して間違えません。引き分けの局面では罠を仕掛けます。' },
  levelOpponent: (n) => ({
    name: `レベル${n}：${['', 'はじめて', '入門', '初級', '中級', '上級', '有段', '高段', '名手', '達人'][n]}`,
    about:
      n === 1
        ? '先を読みません。最初の一局に。'
        : n === 2
          ? '一手で勝てるときだけ気づきます。'
          : `${n - 1}手以内に決まる勝ち負けを見通します。その先は間違えることがあります。`,
  }),
  rulesOpponent: { name: '経験則', about: '勝てるときは勝ち、負けを防ぎ、二重の狙いを作り、相手には作らせません。' },
  minimaxOpponent: (n) => ({ name: `${n}手読み`, about: `${n}手先まですべて読み、その先は勘で指します。` }),
  alphabetaOpponent: (n) => ({ name: `${n}手読み`, about: `${n}手先まですべて読み、その先は勘で指します。` }),
  randomOpponent: { name: 'ランダム', about: '指せる手から無作為に選びます。' },
  weakestOpponent: { name: 'あべこべ', about: '全力で負けにいきます。' },
  newGame: '新しい対局',
  resign: '投了',
  pause: '一時停止',
  go: (side) => `${side}に指させる`,
  moves: '棋譜',
  noMoves: 'まだ一手も指されていません。',
  startPosition: '初期局面',

  allMoves: 'すべての手（よい順）',
  bestMove: '最善手を指す',
  bestLine: '双方の最善手順',
  lineFollow: (n) => `終局まで${n}手`,
  lineDrawn: '以下、引き分け',
  repeats: '3回目',
  why: 'この手の理由',
  gameOver: '終局しています。調べる手はありません。',
  why_win: (me, you, n) => (n === 1 ? `この手で${me}の勝ちです。` : `${me}の${n}手勝ちです。`),
  why_draw: () => '引き分けを保つ手です。',
  why_loss: (me, you, n) => `どう指しても${me}の負けで、この手なら${n}手かかります。`,
  why_win_to_draw: (me, you, n, best) => `勝ちを逃し、引き分けになります。${best}なら勝ちでした。`,
  why_win_to_loss: (me, you, n, best) => `勝ちから一転、${you}の${n - 1}手勝ちになります。${best}なら勝ちでした。`,
  why_draw_to_loss: (me, you, n, best) =>
    `引き分けを逃し、${you}の${n - 1}手勝ちになります。${best}なら引き分けでした。`,
  whyRepeats: '同一局面が3回現れるので引き分けです。',
  whyOnlyWin: '勝てる手はこれだけです。',
  whyOnlyDraw: '負けない手はこれだけです。',
  whyThreat: (me, move, n) =>
    n === 1 ? `次に${move}で勝つ狙いがあります。` : `次に${move}から${n}手で勝つ狙いがあります。`,
  whyStops: (you, move, n) =>
    n === 1 ? `${you}の${move}による即勝ちを防いでいます。` : `${you}の${move}からの${n}手勝ちを防いでいます。`,
  whyOnlyReply: (you, move) => `${you}の正しい応手は${move}だけです。`,
  whyReplies: (you, losing, total) => `${you}の応手${total}通りのうち${losing}通りが負けにつながります。`,
  whyLine: (line) => `以下、最善は ${line} です。`,
  whyLineCut: (line) => `以下、最善は ${line} …`,

  reviewEmpty: 'まず一局指すか、「共有」から棋譜を開いてください。勝敗の分かれ目がここに表示されます。',
  reviewClean: '悪手はありません。どの手も結果を保っています。',
  reviewCount: (side, errors, blunders) => `${side}：? ${errors}手、?? ${blunders}手`,
  reviewKey: '? は勝ちまたは引き分けを逃した手、?? は勝ちを負けにした手です。',
  graph: '形勢グラフ',
  graphWords: (n) => `${n}手それぞれの後の形勢。下の棋譜と同じ内容です。`,
  graphUp: '黒勝ち',
  graphDown: '白勝ち',
  graphNear: '中央から離れるほど終局が近いことを表します。',
  better: (move) => `${move}が最善`,
  showBetter: '最善手を見る',

  puzzleKind: '難易度',
  puzzleSave: '引き分けに持ち込む',
  puzzleWin: (n) => `${n}手で勝つ`,
  puzzleTotal: (n) => `全${n.toLocaleString('ja')}問`,
  puzzleAskWin: (n) => (n === 1 ? '一手で勝てる手がひとつあります。' : `${n}手で勝てる手がひとつだけあります。`),
  puzzleAskSave: '負けない手がひとつだけあります。',
  puzzleRight: '正解です！',
  puzzleWrong: (move) => `${move}は不正解です。`,
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
  editorReady: '実現しうる局面です。',
  editorOver: '実現しうる局面です（すでに終局しています）。',
  error_syntax: (at) => `局面として読めません（${at}文字目）。`,
  'error_black-count': (n, found) => `黒の駒は${n}個必要です（現在${found}個）。`,
  'error_white-count': (n, found) => `白の駒は${n}個必要です（現在${found}個）。`,
  error_won: (side) => `${side}はすでに3つ並んでいるので、${side}の手番にはなりません。`,

  shareTitle: '共有と読み込み',
  link: 'この画面へのリンク',
  position: '局面',
  record: '棋譜',
  copy: 'コピー',
  copied: 'コピーしました',
  copyWhat: (what) => `${what}をコピー`,
  openLabel: 'リンク・局面・棋譜を開く',
  open: '開く',
  openFailed: (error) => `リンク・局面・棋譜のいずれとしても読めません。${error}`,
  badLink: 'リンクに指せない手や局面が含まれています。読める部分だけを表示します。',

  rules: [
    '駒は黒白それぞれ3個。縦・横・斜めの8方向に滑り、盤の端か他の駒に当たるまで止まりません。',
    '自分の駒を縦・横・斜めに3つ隙間なく並べた方の勝ちです。先手は黒です。',
    '同一局面が3回現れると引き分けです。',
  ],
  rulesTitle: 'ルール',
  numbersTitle: '数字の見方',
  numbers:
    'このゲームは完全に解析されています。「勝13」は手番側の13手勝ち、「負22」は22手負け、「分」は引き分けを表します（いずれも双方最善の場合）。黒または白が1回動かすことを1手と数えます。',
  keysTitle: 'キー操作',
  keysOn: '一文字のキー操作を有効にする',
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

/** The text of that key in the language of the page, filled in. A key that does not exist is a mistake of ours. */
export function t(key, ...values) {
  const text = languages[current][key];
  if (text === undefined) throw new RangeError(`no text ${key} in ${current}`);
  return typeof text === 'function' ? text(...values) : text;
}

/** Translates what stands in the page: data-t gives the content, data-t-label the spoken label and the tooltip. */
export function translate(root) {
  for (const element of root.querySelectorAll('[data-t]')) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll('[data-t-label]')) {
    element.setAttribute('aria-label', t(element.dataset.tLabel));
    if (element.matches('button')) element.title = t(element.dataset.tLabel);
  }
}

/** The other language, in its own words. */
export const otherLanguage = () =>
  current === 'en' ? { code: 'ja', name: ja.language } : { code: 'en', name: en.language };
