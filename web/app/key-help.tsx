// The keyboard shortcuts of the current page, by its actions.
import { app } from '../text/app.ts'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { areSingleKeysEnabled, listKeyActions } from '../ui/keys.ts'
import './palette/palette.css'

// biome-ignore lint/style/noDefaultExport: what is loaded late is asked for so.
export default function KeyHelp({ onClose }: { onClose: () => void }) {
  const known = listKeyActions().filter(({ keys }) => keys)
  return (
    <Dialog title={app.keyboardShortcuts} onClose={onClose}>
      {areSingleKeysEnabled.value ? null : <p>{app.singleKeysOff}</p>}
      <dl class="palette-keys">
        {known.map(({ name, keys }) => (
          <div class="palette-key" key={`${keys} ${name}`}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
