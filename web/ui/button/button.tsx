// What does something. What leads somewhere is a link, though it may look like a button.
import type { ComponentChildren, JSX } from 'preact'
import './button.css'

type Look = 'plain' | 'primary' | 'danger' | 'quiet'

type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'type' | 'disabled'> & {
  look?: Look
  isSubmit?: boolean
  /** Why it cannot be pressed now: told to everybody, by pointer and by ear. */
  blocked?: string | false | undefined
  /** Its work is under way; a second press does nothing. */
  isBusy?: boolean
  keys?: string
  children: ComponentChildren
}

export function Button(props: ButtonProps) {
  const { look = 'plain', isSubmit, blocked, isBusy, keys, children, ...rest } = props
  const isOff = Boolean(blocked) || isBusy
  return (
    <button
      {...rest}
      type={isSubmit ? 'submit' : 'button'}
      class={`button button-${look} ${rest.class ?? ''}`}
      aria-disabled={isOff ? 'true' : undefined}
      title={blocked || rest.title}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else rest.onClick?.(event)
      }}
    >
      {children}
      {blocked ? <span class="only-spoken"> {blocked}</span> : null}
      {keys ? <kbd class="button-keys">{keys}</kbd> : null}
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink(props: JSX.IntrinsicElements['a'] & { look?: Look }) {
  const { look = 'plain', ...rest } = props
  return <a {...rest} class={`button button-${look} ${rest.class ?? ''}`} />
}
