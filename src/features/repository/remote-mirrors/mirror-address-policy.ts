import type { Db } from '../../../db/db.ts'
import {
  type AddressPolicy,
  allowAnyAddress,
  allowPublicAndListed,
} from '../../../outgoing/address-policy.ts'
import { readSettings } from '../../basics/settings/setting.ts'

/** Returns the addresses that administrators allow mirrors to reach. */
export async function readMirrorAddressPolicy(db: Db): Promise<AddressPolicy> {
  const settings = await readSettings(db)
  if (settings.allow_local_requests_from_web_hooks_and_services) return allowAnyAddress
  return allowPublicAndListed(settings.outbound_local_requests_whitelist)
}
