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

/** The button of the last press and its text at that time. Further presses of a double click do not count. */
let pressed: { button: HTMLButtonElement; text: string | null } | undefined

/**
 * Returns whether a press belongs to a double click that began on another button, or on this one with another text: "Close
 * issue" has become "Reopen issue" in between. `clicks` is the browser's count, 0 for keys and assistive technology.
 */
function isStrayPress(button: HTMLButtonElement, clicks: number): boolean {
  const text = button.textContent
  if (clicks < 2) pressed = { button, text }
  return pressed?.button !== button || pressed.text !== text
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
        if (isStrayPress(event.currentTarget, event.detail) || isOff) event.preventDefault()
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
