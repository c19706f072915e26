// A form that asks the server for something: it waits, says what was refused and keeps what was typed.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Refusal } from '../../api/refusal.ts'
import { Button } from '../button/button.tsx'
import { currentUrl, shownUrl } from '../navigation.ts'
import { toPageLanguage } from '../refusal/in-page-language.ts'
import { RefusalNote } from '../refusal/refusal.tsx'
import { FormRefusalContext } from './form-refusal-context.ts'
import './form.css'

/** `values` are the fields by name: texts, files, lists where a name comes more than once. */
export type FormValues = {
  text: (name: string) => string
  has: (name: string) => boolean
  all: (name: string) => string[]
  file: (name: string) => File | undefined
}

type FormProps = {
  /** What the button says. */
  action: string
  onSubmit: (values: FormValues) => Promise<unknown> | unknown
  /** Beside the button. */
  more?: ComponentChildren
  isDanger?: boolean
  blocked?: string | false
  label?: string
  /** One field with its button beside it, which is not what the page is for. */
  isInline?: boolean
  /** Its fields say themselves what was refused of them. */
  children?: ComponentChildren
}

export function Form({
  action,
  onSubmit,
  more,
  isDanger,
  blocked,
  label,
  isInline,
  children,
}: FormProps) {
  const [state, setState] = useState<{
    isBusy: boolean
    hasNavigated?: boolean
    refusal?: Refusal
  }>({
    isBusy: false,
  })
  const form = useRef<HTMLFormElement>(null)
  // The page stays until the next one is loaded. Meanwhile a second press would submit the form again.
  const isLeaving = state.hasNavigated && currentUrl.value.pathname !== shownUrl.value.pathname
  const isBusy = state.isBusy || isLeaving
  const submit = async () => {
    if (isBusy || blocked || !form.current?.reportValidity()) return
    setState({ isBusy: true })
    try {
      const before = currentUrl.peek()
      await onSubmit(valuesOf(new FormData(form.current)))
      setState({ isBusy: false, hasNavigated: currentUrl.peek() !== before })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setState({ isBusy: false, refusal: await toPageLanguage(error, form.current) })
    }
  }
  const { refusal } = state
  return (
    <form
      ref={form}
      class={`form ${isInline ? 'form-inline' : ''}`}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
      }}
    >
      <FormRefusalContext.Provider value={refusal}>{children}</FormRefusalContext.Provider>
      {refusal ? <RefusalNote refusal={refusal} /> : null}
      <div class="row">
        <Button
          isSubmit
          look={isDanger ? 'danger' : isInline ? 'plain' : 'primary'}
          isBusy={isBusy}
          blocked={blocked}
        >
          {action}
        </Button>
        {more}
      </div>
    </form>
  )
}

function valuesOf(data: FormData): FormValues {
  return {
    text: (name) => String(data.get(name) ?? ''),
    has: (name) => data.has(name),
    all: (name) => data.getAll(name).map(String),
    file: (name) => {
      const value = data.get(name)
      return value instanceof File && value.size > 0 ? value : undefined
    },
  }
}
