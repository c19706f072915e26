// The editor itself, a chunk of its own. It stands in a shadow root: there its styles are adopted sheets, which the
// page's policy allows.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState } from '@codemirror/state'
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { languageOf } from './languages.ts'

export type CodeEditor = {
  /** Its path chooses the language; the label is its name. */
  setFile: (path: string, label: string) => void
  focus: () => void
  end: () => void
}

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--syntax-key)' },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: 'var(--syntax-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--syntax-number)' },
  {
    tag: [tags.function(tags.variableName), tags.propertyName, tags.attributeName],
    color: 'var(--syntax-name)',
  },
  { tag: [tags.typeName, tags.className, tags.tagName], color: 'var(--syntax-type)' },
  { tag: [tags.comment, tags.meta], color: 'var(--syntax-comment)' },
  { tag: tags.heading, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.link, color: 'var(--link)' },
])

const look = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--raised)', fontSize: 'var(--size-code)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    lineHeight: 'var(--line)',
    minHeight: '320px',
    maxHeight: '70vh',
    overflow: 'auto',
  },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--muted)',
    borderRight: '1px solid var(--hairline)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--sunken)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--text)' },
  '.cm-textfield, .cm-button': {
    backgroundColor: 'var(--raised)',
    backgroundImage: 'none',
    border: '1px solid var(--edge)',
    color: 'var(--text)',
  },
})

/**
 * What is typed over a selection is put in here. Left to it, Chromium keeps the look of what it replaces by attributes,
 * which the page's policy refuses aloud.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { inputType, data, isComposing } = event
    if (inputType !== 'insertText' || data === null || isComposing) return false
    if (view.state.selection.main.empty) return false
    event.preventDefault()
    const change = view.state.replaceSelection(data)
    view.dispatch(change, { userEvent: 'input.type', scrollIntoView: true })
    return true
  },
})

/** Puts an editor into an element. `onText` is told after each change. */
export function openCodeEditor(
  host: HTMLElement,
  given: { text: string; onText: (text: string) => void },
): CodeEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const language = new Compartment()
  const name = new Compartment()
  const named = (label: string) => EditorView.contentAttributes.of({ 'aria-label': label })
  const tabSize = Number(getComputedStyle(host).getPropertyValue('--tab-width')) || 4
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: given.text,
      extensions: [
        lineNumbers(),
        history(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        syntaxHighlighting(colours),
        look,
        typeOver,
        language.of([]),
        EditorState.tabSize.of(tabSize),
        indentUnit.of(/^\t/m.test(given.text) ? '\t' : '  '),
        EditorState.lineSeparator.of(/\r\n/.test(given.text) ? '\r\n' : '\n'),
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
        matchMedia('(width < 640px)').matches ? EditorView.lineWrapping : [],
        name.of([]),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) given.onText(state.sliceDoc())
        }),
      ],
    }),
  })
  // What scrolls is reached by keys.
  view.scrollDOM.tabIndex = 0
  const setFile = (path: string, label: string) => {
    view.dispatch({ effects: name.reconfigure(named(label)) })
    void languageOf(path)?.().then((loaded) =>
      view.dispatch({ effects: language.reconfigure(loaded) }),
    )
  }
  return { setFile, focus: () => view.focus(), end: () => view.destroy() }
}
