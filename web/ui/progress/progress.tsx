import { language } from '../../text/language.ts'
import './progress.css'

const percents = new Intl.NumberFormat(language, { style: 'percent' })

/** How much of some work is done, from 0 to 100: read aloud where the reader goes there, and not at each change. */
export function ProgressBar({ label, percent }: { label: string; percent: number }) {
  const words = percents.format(percent / 100)
  return (
    <span class="row">
      <progress
        class="progress"
        aria-label={label}
        aria-valuetext={words}
        max={100}
        value={percent}
      />
      <span aria-hidden="true">{words}</span>
    </span>
  )
}
