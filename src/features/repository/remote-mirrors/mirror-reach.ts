import type { Db } from '../../../db/db.ts'
import { anyAddress, publicAddressesAnd, type Reach } from '../../../outgoing/reach.ts'
import { readSettings } from '../../basics/settings/setting.ts'

/** What administrators let mirrors reach. */
export async function findMirrorReach(db: Db): Promise<Reach> {
  const settings = await readSettings(db)
  if (settings.allow_local_requests_from_web_hooks_and_services) return anyAddress
  return publicAddressesAnd(settings.outbound_local_requests_whitelist)
}
