// A study: positions with comments, drawings and variations, which a teacher hands out as a link, a file or on paper.
// The link has the text of the file, compressed. Each board has a study of its own on this device; one from a link or
// a file is shown in its place, and replaces it only when the user confirms this.

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';

import { button, download, whenReleased } from './views/dom.js';
import { disc } from './views/format.js';
import { stillPicture } from './board/image.js';
import { list, object, oneOf, text } from './state/input.js';
import { BLANK } from './board/picture.js';
import { loadStudy, MOST_POSITIONS, MOST_TITLE, newestStudy, positionCheck, save } from './state/storage.js';
import { t } from './texts.js';
import { asComment, MOST_COMMENT, Tree } from './state/tree.js';

/** @import { App, Status, Study, StudyPosition } from './types.js' */

const MOST_LENGTH = 1e5; // characters of the text of a study
const VERSION = 1;
const TYPING = 300; // milliseconds before what is typed is stored

/**
 * What is known about a position of a study.
 * @typedef {{tree: Tree, position: string, note: {marks: string[], comment: string}, picture: SVGElement}} Known
 */

/** @param {Study} study */
const asText = (study) => JSON.stringify({ 'neutreeko-study': VERSION, ...study }, null, 1);

/**
 * The study that a text describes; null for any other text. Whether its positions are legal, the engine knows.
 * @param {string} written
 * @returns {Study | null}
 */
export function readStudy(written) {
  if (written.length > MOST_LENGTH) return null;
  /** @type {import('./state/input.js').Checks<Study & {'neutreeko-study': number}>} */
  const checks = {
    'neutreeko-study': oneOf([VERSION]),
    board: text(/^[\da-z/]{1,40}$/),
    title: text(new RegExp(`^.{0,${MOST_TITLE}}$`)),
    positions: list(positionCheck, 1, MOST_POSITIONS),
  };
  try {
    const found = object(checks)(JSON.parse(written));
    return found ? { board: found.board, title: found.title, positions: found.positions } : null;
  } catch {
    return null;
  }
}

/**
 * Compresses or uncompresses bytes. Rejects if there are more than a study can have, or if they are damaged.
 * @param {Blob} bytes
 * @param {CompressionStream | DecompressionStream} stream
 */
async function through(bytes, stream) {
  const parts = [];
  let room = 4 * MOST_LENGTH; // of UTF-8
  const reader = bytes.stream().pipeThrough(stream).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    room -= next.value.length;
    if (room < 0) throw new RangeError('too long');
    parts.push(next.value);
  }
  return new Blob(parts);
}

/**
 * The text of a study as a link has it.
 * @param {Study} study
 */
export async function pack(study) {
  const packed = await through(new Blob([asText(study)]), new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await packed.arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * The study of a link; null if that is damaged.
 * @param {string} packed
 */
async function unpack(packed) {
  try {
    const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const plain = await through(new Blob([bytes]), new DecompressionStream('deflate-raw'));
    return readStudy(await plain.text());
  } catch {
    return null;
  }
}

/**
 * Adds the study of the board to app.
 * @param {App} app
 * @param {{treeOf(position: StudyPosition): {tree: Tree, valid: boolean}, explore(position: StudyPosition): void}} page
 */
export function createStudy(app, { treeOf, explore }) {
  /** @type {Study} */
  let own = { board: '', title: '', positions: [] };
  /** @type {Study | null} */
  let opened = null; // from a link or a file
  let packed = ''; // the study that is shown, for the address
  let at = 0;
  /** @type {Map<string, Known | null>} */
  const known = new Map();
  let asked = ''; // the link that is being read
  let packing = Symbol(); // stands for what packed will be
  /**
   * What is typed as the comment of a position (its key) or, with null, as the title, as long as the field is edited.
   * @type {{key: string | null, text: string} | null}
   */
  let typed = null;
  let storing = 0; // the timer after which it is stored

  const shown = () => opened ?? own;

  /** @param {StudyPosition | undefined} entry */
  const keyOf = (entry) => (entry ? JSON.stringify(entry) : '');

  /**
   * What is known about a position; null if it is invalid. A study may have a position twice: each has a picture of its
   * own.
   * @param {StudyPosition} entry
   * @param {number} number
   */
  function lookAt(entry, number) {
    const key = `${number} ${keyOf(entry)}`;
    let found = known.get(key);
    if (found === undefined) known.set(key, (found = findOut(entry)));
    return found;
  }

  /** @param {StudyPosition} entry */
  function findOut(entry) {
    const { tree, valid } = treeOf(entry);
    if (!valid) return null;
    const game = app.engine.newGame(tree.start);
    for (const { move } of tree.path()) game.play(move);
    const { position } = game.state();
    game.free();
    const note = tree.current.note ?? { marks: [], comment: '' };
    const picture = stillPicture({ ...BLANK, position, marks: note.marks }, app.engine.board);
    return { tree, position, note, picture };
  }

  const selected = () => shown().positions[at];
  const current = () => (selected() ? lookAt(selected(), at) : null);

  /** The study has changed, or another one is shown: its link follows. */
  async function refresh() {
    const study = shown();
    at = Math.max(0, Math.min(at, study.positions.length - 1));
    app.render();
    const mine = (packing = Symbol());
    const text = study.positions.length ? await pack(study) : '';
    if (packing !== mine) return;
    packed = text;
    if (app.view === 'study') app.update({ replace: true, notice: app.notice });
  }

  /** Takes what another window has stored; the position that is selected remains so, if it is still there. */
  function synchronize() {
    const { title, positions } = newestStudy(own);
    const key = opened ? '' : keyOf(selected());
    own = { board: app.boardName, title, positions: positions.filter(lookAt) };
    const found = own.positions.findIndex((entry) => keyOf(entry) === key);
    if (!opened && found >= 0) at = found;
  }

  /**
   * Changes the study of this device. Returns false if that is impossible, or cannot be stored.
   * @param {(study: Study) => Partial<Study>} changesOf
   */
  function change(changesOf) {
    synchronize();
    const next = { ...own, ...changesOf(own) };
    if (asText(next).length > MOST_LENGTH || next.positions.length > MOST_POSITIONS) {
      app.announce(t('studyFull'));
      app.update({ replace: true, notice: t('studyFull') });
      return false;
    }
    own = next;
    const isStored = save('study', own);
    if (!isStored) app.announce(t('storageFull'));
    whenReleased(refresh);
    return isStored;
  }

  /**
   * The position with another comment.
   * @param {StudyPosition} entry
   * @param {string} comment
   */
  function withComment(entry, comment) {
    const { tree } = treeOf(entry);
    const marks = tree.current.note?.marks ?? [];
    tree.current.note = comment || marks.length ? { marks, comment } : undefined;
    return entryOf(tree);
  }

  /** Stores what is typed, whatever is shown meanwhile. */
  function storeTyped() {
    clearTimeout(storing);
    storing = 0;
    if (!typed) return;
    const { key, text } = typed;
    if (key === null) {
      if (own.title !== asComment(text)) change(() => ({ title: asComment(text) }));
      return;
    }
    const number = own.positions.findIndex((entry) => keyOf(entry) === key);
    if (number < 0) return;
    const next = withComment(own.positions[number], asComment(text));
    typed.key = keyOf(next);
    if (typed.key !== key)
      change(({ positions }) => ({ positions: positions.map((entry) => (keyOf(entry) === key ? next : entry)) }));
  }

  /**
   * @param {string | null} key of the position for which the field was drawn, or null
   * @param {string} text
   */
  function type(key, text) {
    typed = { key, text };
    storing ||= setTimeout(storeTyped, TYPING);
  }

  function leaveField() {
    storeTyped();
    typed = null;
  }

  /**
   * @param {Tree} tree
   * @returns {StudyPosition}
   */
  function entryOf(tree) {
    const { text: moves, at: number, notes } = tree.write();
    return { start: tree.start, moves, at: number, notes };
  }

  /** @param {number} to */
  function move(to) {
    change(({ positions }) => {
      const others = positions.toSpliced(at, 1);
      others.splice(to, 0, positions[at]);
      at = to;
      return { positions: others };
    });
    app.announce(t('studyPosition', at + 1, own.positions.length));
  }

  const remove = () => change(({ positions }) => ({ positions: positions.toSpliced(at, 1) }));

  function keep() {
    const isMeant = !own.positions.length || app.isMeant('study-keep');
    if (isMeant) {
      own = shown();
      opened = null;
      save('study', own);
      refresh();
    }
    app.render();
    app.announce(t(isMeant ? 'studyKept' : 'studyReplaceSure'));
  }

  const saveFile = () => download(new Blob([asText(shown())], { type: 'application/json' }), 'neutreeko-study.json');

  const actions = () =>
    html`<section class="actions">
      ${opened ? button('study-keep', t(app.asked === 'study-keep' ? 'studyReplaceSure' : 'studyKeep'), keep) : nothing}
      ${opened && own.positions.length
        ? button('study-own', t('studyOwn'), () => {
            opened = null;
            at = 0;
            refresh();
          })
        : nothing}
      ${button('study-file', t('export'), saveFile)} ${button('study-print', t('print'), () => window.print())}
    </section>`;

  const editor = (key = keyOf(selected())) =>
    html`<div class="field">
        <label for="study-comment">${t('comment')}</label>
        <textarea
          id="study-comment"
          rows="3"
          maxlength=${MOST_COMMENT}
          .value=${live(typed?.key === key ? typed.text : (current()?.note.comment ?? ''))}
          @input=${(/** @type {any} */ { target }) => type(key, target.value)}
          @blur=${leaveField}
        ></textarea>
      </div>
      <div class="actions">
        ${at ? button('study-up', t('studyUp'), () => move(at - 1)) : nothing}
        ${button('study-remove', t('studyRemove'), remove)}
      </div>`;

  /**
   * @param {StudyPosition} entry
   * @param {number} number
   */
  function item(entry, number) {
    const found = lookAt(entry, number);
    if (!found) return nothing;
    const { toMove } = app.board.read(found.position);
    const isCurrent = number === at;
    const select = () => {
      at = number;
      app.update({ replace: true });
      app.announce(t('studyPosition', at + 1, shown().positions.length), found.note.comment);
    };
    return html`<li class=${isCurrent ? 'on' : ''}>
      <div class="board still">${found.picture}</div>
      <div class="line">
        <button type="button" class="select" aria-current=${isCurrent} @click=${select}>
          <span>${disc(toMove)} ${number + 1}. ${t('toMove', t(toMove))}</span>
        </button>
        <p class="printed">${found.position}</p>
        ${found.note.comment ? html`<p class="comment">${found.note.comment}</p>` : nothing}
        ${isCurrent
          ? html`<div class="actions">${button('study-explore', t('explore'), () => explore(entry))}</div>
              ${opened ? nothing : editor()}`
          : nothing}
      </div>
    </li>`;
  }

  const title = () =>
    opened
      ? nothing
      : html`<div class="field">
          <label for="study-title">${t('studyTitle')}</label>
          <input
            id="study-title"
            maxlength=${MOST_TITLE}
            .value=${live(typed?.key === null ? typed.text : own.title)}
            @input=${(/** @type {any} */ { target }) => type(null, target.value)}
            @blur=${leaveField}
          />
        </div>`;

  return {
    /** Works with the study of another board from now on. */
    forget() {
      leaveField();
      asked = '';
      packing = Symbol();
      known.clear();
      const { title, positions } = loadStudy();
      own = { board: app.boardName, title, positions: positions.filter(lookAt) };
      opened = null;
      packed = '';
      at = 0;
    },
    storeTyped,
    /** Another window has changed the study of this device. */
    changedElsewhere() {
      synchronize();
      refresh();
    },
    /** How many positions the study has that is shown. */
    size: () => shown().positions.length,
    /** Adds the position that is explored. */
    add() {
      opened = null;
      if (!change(({ positions }) => ({ positions: [...positions, entryOf(app.tree)] }))) return;
      at = own.positions.length - 1;
      app.announce(t('studyAdded', own.positions.length));
    },
    enter() {
      asked = '';
      refresh();
    },
    /** @param {string} link the study of a link, which is shown when it has been read */
    async open(link) {
      leaveField();
      packing = Symbol();
      asked = packed = link; // the address stays as it is
      const study = await unpack(link);
      if (app.view !== 'study' || asked !== link) return;
      const invalid = study?.positions.findIndex((entry, number) => !lookAt(entry, number)) ?? 0;
      if (!study || study.board !== app.boardName || invalid >= 0) {
        const notice = study && study.board === app.boardName ? t('studyInvalid', invalid + 1) : t('studyDamaged');
        app.dispatch({ type: 'notice', text: notice });
        refresh();
        return;
      }
      opened = asText(study) === asText(own) ? null : study;
      at = 0;
      await refresh();
      if (app.view === 'study' && asked === link) app.announce(app.statusText);
    },
    /** The study that is shown, for the address. */
    packed: () => packed,
    /** @returns {Status} */
    status() {
      const found = current();
      const { title: name, positions } = shown();
      const toMove = found && t('toMove', t(app.board.read(found.position).toMove));
      const sentences = found ? [t('studyPosition', at + 1, positions.length), toMove] : [];
      return { side: null, headline: name || t('study'), subline: sentences.join(t('stop') + t('between')) };
    },
    scene: () => {
      const found = current();
      return found ? { position: found.position, marks: found.note.marks } : { position: app.start };
    },
    panel: () =>
      shown().positions.length
        ? html`${actions()} ${title()}
            <ol class="study">
              ${shown().positions.map(item)}
            </ol>`
        : html`<p class="note">${t('studyEmpty')}</p>`,
  };
}
