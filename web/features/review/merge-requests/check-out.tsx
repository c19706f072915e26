import { requests as words } from '../../../text/merge-requests.ts'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'

/** How to have the changes of a merge request in a clone. */
export function CheckOut({ iid, onClose }: { iid: number; onClose: () => void }) {
  return (
    <Dialog isWide title={words.checkOut} onClose={onClose}>
      <p>{words.checkOutText}</p>
      <CopyLine
        label={words.checkOutCommands}
        text={`git fetch origin refs/merge-requests/${iid}/head\ngit switch --detach FETCH_HEAD`}
      />
    </Dialog>
  )
}
