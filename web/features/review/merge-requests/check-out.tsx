import { requestDialogs as dialogs } from '../../../text/merge-request-dialogs.ts'
import { requests as words } from '../../../text/merge-requests.ts'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'

/** How to have the changes of a merge request in a clone. */
export function CheckOut({ iid, onClose }: { iid: number; onClose: () => void }) {
  return (
    <Dialog isWide title={words.checkOut} onClose={onClose}>
      <p>{dialogs.checkOutText}</p>
      <CopyLine
        label={dialogs.checkOutCommands}
        text={`git fetch origin refs/merge-requests/${iid}/head\ngit switch --detach FETCH_HEAD`}
      />
    </Dialog>
  )
}
