// A picture as it was and as it is: beside each other, with a divider that is moved, or one through the other.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { pictures as words } from '../../text/pictures.ts'
import { Button } from '../../ui/button/button.tsx'
import './picture-diff.css'

/** A point of a picture of `width` by `height`, in pixels from its upper left corner. */
export type PicturePoint = { x: number; y: number; width: number; height: number }
export type PictureMark = { point: PicturePoint; number: number }

/** Comments on points of the picture. */
export type PictureNotes = {
  marks: readonly PictureMark[]
  /** The point of a comment that is being written. */
  chosen: PicturePoint | undefined
  /** Absent where the reader may not comment. */
  onChoose: ((point: PicturePoint) => void) | undefined
}

type Mode = 'twoUp' | 'swipe' | 'onion'
const modes = ['twoUp', 'swipe', 'onion'] as const

/** `before` and `after` are addresses of pictures; one of them is absent where the picture was added or removed. */
export function PictureDiff({
  path,
  before,
  after,
  notes,
}: {
  path: string
  before: string | undefined
  after: string | undefined
  notes: PictureNotes | undefined
}) {
  const [mode, setMode] = useState<Mode>('twoUp')
  const [percent, setPercent] = useState(50)
  const isPair = before !== undefined && after !== undefined
  // Comments are on the picture as it is now, or as it was where it is removed.
  const shownNotes = (side: 'before' | 'after') =>
    side === (after === undefined ? 'before' : 'after') ? notes : undefined
  return (
    <div class="picture-diff">
      {isPair ? (
        <fieldset class="picture-diff-modes row" aria-label={words.waysToCompare(path)}>
          {modes.map((one) => (
            <Button key={one} aria-pressed={mode === one} onClick={() => setMode(one)}>
              {words.modes[one]}
            </Button>
          ))}
        </fieldset>
      ) : null}
      {isPair && mode !== 'twoUp' ? (
        <>
          <div
            class={`picture-diff-stack picture-diff-${mode}`}
            style={{ '--picture-diff-at': String(percent / 100) }}
          >
            <Picture url={before} alt={words.before(path)} />
            <span class="picture-diff-upper">
              <Picture url={after} alt={words.after(path)} />
            </span>
          </div>
          <label class="picture-diff-slider">
            <span>{words.beforeWord}</span>
            <input
              type="range"
              aria-label={words.sliders[mode]}
              value={percent}
              onInput={(event) => setPercent(event.currentTarget.valueAsNumber)}
            />
            <span>{words.afterWord}</span>
          </label>
        </>
      ) : (
        <div class="picture-diff-sides">
          {before === undefined ? null : (
            <Side
              url={before}
              alt={words.before(path)}
              title={isPair ? words.beforeWord : words.removedWord}
              notes={shownNotes('before')}
            />
          )}
          {after === undefined ? null : (
            <Side
              url={after}
              alt={words.after(path)}
              title={isPair ? words.afterWord : words.addedWord}
              notes={shownNotes('after')}
            />
          )}
        </div>
      )}
    </div>
  )
}

type Size = { width: number; height: number }

function Side({
  url,
  alt,
  title,
  notes,
}: {
  url: string
  alt: string
  title: string
  notes: PictureNotes | undefined
}) {
  const [size, setSize] = useState<Size>()
  const choose = notes?.onChoose
  const pointAt = (event: MouseEvent) => {
    if (!size || !(event.target instanceof HTMLImageElement)) return
    const box = event.target.getBoundingClientRect()
    choose?.({
      ...size,
      x: within((event.clientX - box.left) / box.width, size.width),
      y: within((event.clientY - box.top) / box.height, size.height),
    })
  }
  return (
    <figure class="picture-diff-side">
      <figcaption>
        <strong>{title}</strong>
        {size ? <span class="muted"> {words.size(size.width, size.height)}</span> : null}
      </figcaption>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button below does the same by keys. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the same. */}
      <span
        class={choose ? 'picture-diff-frame picture-diff-open' : 'picture-diff-frame'}
        onClick={pointAt}
      >
        <Picture url={url} alt={alt} onSize={setSize} />
        {notes ? <Marks notes={notes} /> : null}
      </span>
      {choose ? (
        <Button
          look="quiet"
          blocked={size ? false : words.notLoaded}
          onClick={() =>
            size &&
            choose({ ...size, x: Math.round(size.width / 2), y: Math.round(size.height / 2) })
          }
        >
          {words.comment}
        </Button>
      ) : null}
    </figure>
  )
}

const within = (part: number, size: number) => Math.min(size, Math.max(0, Math.round(part * size)))

function Marks({ notes: { marks, chosen, onChoose } }: { notes: PictureNotes }) {
  return (
    <>
      {marks.map(({ point, number }) => (
        <span key={number} class="picture-diff-mark" style={placeOf(point)}>
          <span class="only-spoken">{words.mark}</span>
          {number}
        </span>
      ))}
      {chosen && onChoose ? (
        <button
          type="button"
          class="picture-diff-mark picture-diff-chosen"
          style={placeOf(chosen)}
          aria-label={words.chosen(chosen.x, chosen.y)}
          title={words.moveHint}
          onKeyDown={(event) => {
            const [right, down] = steps[event.key] ?? [0, 0]
            if (right === 0 && down === 0) return
            event.preventDefault()
            const part = event.shiftKey ? 10 : 1
            const step = Math.max(1, Math.round((chosen.width / 100) * part))
            onChoose({
              ...chosen,
              x: within((chosen.x + right * step) / chosen.width, chosen.width),
              y: within((chosen.y + down * step) / chosen.height, chosen.height),
            })
          }}
        >
          +
        </button>
      ) : null}
    </>
  )
}

const steps: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

const placeOf = ({ x, y, width, height }: PicturePoint) => ({
  '--picture-diff-x': `${(x / Math.max(1, width)) * 100}%`,
  '--picture-diff-y': `${(y / Math.max(1, height)) * 100}%`,
})

/** The browser fetches a picture once it is near. */
function Picture({
  url,
  alt,
  onSize,
}: {
  url: string
  alt: string
  onSize?: (size: Size) => void
}): ComponentChildren {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <span class="muted">{words.notShown}</span>
  return (
    <img
      class="picture-diff-picture"
      src={url}
      alt={alt}
      loading="lazy"
      onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
        onSize?.({ width, height })
      }
      onError={() => setBroken(true)}
    />
  )
}
