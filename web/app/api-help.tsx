// "Show as API": the requests of the page as curl commands.
import { listUrlsInUse } from '../api/cache.ts'
import { app } from '../text/app.ts'
import { CopyLine } from '../ui/copy-line/copy-line.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'

// biome-ignore lint/style/noDefaultExport: what is loaded late is asked for so.
export default function ApiHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={app.showAsApi} onClose={onClose} isWide>
      <p class="muted">{app.showAsApiText}</p>
      {listUrlsInUse().map((url) => (
        <CopyLine key={url} label={app.curlCommandFor(url)} text={curlOf(url)} />
      ))}
    </Dialog>
  )
}

/** Returns a curl command that is quoted for a POSIX shell. */
function curlOf(url: string): string {
  const whole = new URL(url, location.href).href.replaceAll("'", "'\\''")
  return `curl --globoff --header "PRIVATE-TOKEN: $TOKEN" '${whole}'`
}
