// The store: the state, which changes only when an action is dispatched.

/** @import { Action, ShownState } from './types.js' */

/** @type {ShownState} */
export const INITIAL = { dialog: null, notice: '', asked: null, turned: false, preview: null, demo: null };

/**
 * The state after an action.
 * @param {ShownState} state
 * @param {Action} action
 * @returns {ShownState}
 */
export function reduce(state, action) {
  switch (action.type) {
    case 'dialog':
      return { ...state, dialog: action.name };
    case 'notice':
      return { ...state, notice: action.text };
    case 'ask':
      return { ...state, asked: action.id };
    case 'flip':
      return { ...state, turned: !state.turned };
    case 'preview':
      return { ...state, preview: action.move };
    case 'demo':
      return { ...state, demo: action.demo };
    case 'position':
      return { ...state, asked: null, preview: null };
    case 'subject':
      return { ...state, turned: false, preview: null };
  }
}

/**
 * A store, whose `state` is the latest one.
 * @param {ShownState} state
 */
export function createStore(state = INITIAL) {
  return {
    state,
    /** @param {Action} action */
    dispatch(action) {
      this.state = reduce(this.state, action);
    },
  };
}
