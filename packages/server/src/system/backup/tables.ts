import type { Schema } from '../../core/db/schema.ts'

/**
 * Which tables a backup holds. `left` are those whose rows are of the moment: what was ended after the backup (a session, a
 * login key, a ticket) must not come back to life with it, and what the upkeep of one store remembers means nothing to
 * another.
 */
export const tablesOf: Record<keyof Schema, 'kept' | 'left'> = {
  setting: 'kept',
  secret: 'kept',
  stamp: 'kept',
  org_group: 'kept',
  account: 'kept',
  role: 'kept',
  role_account: 'kept',
  session: 'left',
  once: 'left',
  throttle: 'left',
  item: 'kept',
  library: 'kept',
  library_manager: 'kept',
  blob: 'kept',
  version: 'kept',
  entry: 'kept',
  event: 'kept',
  personal_push: 'kept',
  audit: 'kept',
  tally: 'kept',
  usage_total: 'kept',
  child_total: 'kept',
  folder_setting: 'kept',
  linked_server: 'kept',
  dropped_object: 'left',
  walk: 'left',
  blob_problem: 'left',
}
