/**
 * Which tables a backup holds; one that is not named here is held. `left` are those whose rows are of the moment: what was
 * ended after the backup (a session, a login key, a ticket) must not come back to life with it, an upload that had not
 * ended begins again, and what the upkeep of one store remembers means nothing to another.
 */
export const tablesOf: Readonly<Record<string, 'kept' | 'left'>> = {
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
  library_total: 'kept',
  folder_order: 'kept',
  linked_server: 'kept',
  search_item: 'kept',
  search_queue: 'kept',
  upload: 'left',
  upload_part: 'left',
  dropped_object: 'left',
  walk: 'left',
  blob_problem: 'left',
}
