// The tables as kysely sees them; migrations/ holds their truth and their reasons.
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

type Jsonb<T extends object> = JSONColumnType<T>
type Identity = Generated<number>

/** How a content is not what its row says. */
export type Damage = 'missing' | 'unreadable' | 'size' | 'hash'

export interface ItemTable {
  id: Identity
  library_id: number
  parent_id: number | null
  f_type: 1 | 2
  name: string
  name_key: string
  name_sort: string
  search_text: string
  ext: Generated<string>
  created_by: number
  created_at: number
  modified_by: number
  modified_at: number
  version: Generated<number>
  size: Generated<number>
  status: Generated<number>
  doc_flag: Generated<number>
  secret_level: Generated<number>
  secret_until: Generated<number | null>
  link_to: Generated<number | null>
  editor_id: Generated<number | null>
  editing_since: Generated<number | null>
  editor_until: Generated<number | null>
  inherit: Generated<boolean>
  restricted: Generated<boolean>
  own_rules: Generated<boolean>
  withholds: Generated<boolean>
  deleted_at: number | null
  deleted_by: number | null
  purged: Generated<boolean>
}

export type AccountState = 'normal' | 'locked' | 'frozen' | 'restricted' | 'disabled'
export type LibraryKind = 'company' | 'department' | 'personal' | 'archive'

export interface Schema {
  setting: { code: string; value: ColumnType<unknown, string, string> }
  secret: { name: string; value: string }
  stamp: { name: string; value: number }
  org_group: {
    id: Identity
    parent_id: number | null
    name: string
    name_key: string
    name_sort: string
    search_text: string
  }
  account: {
    id: Identity
    account: string
    account_key: string
    name: string
    name_sort: string
    search_text: string
    password_hash: string
    group_id: number
    secret_level: Generated<number>
    state: Generated<AccountState>
    is_admin: Generated<boolean>
    must_change_password: Generated<boolean>
    created_at: number
    quota: Generated<number | null>
  }
  role: { id: Identity; name: string; name_key: string; search_text: string }
  role_account: { role_id: number; account_id: number }
  session: {
    id: Identity
    token_hash: Buffer
    account_id: number
    client_type: number
    guest: Generated<boolean>
    address: string
    created_at: number
    used_at: number
    expires_at: number
  }
  once: { kind: string; id_hash: Buffer; value: string; expires_at: number }
  throttle: { key: string; failures: number; since: number }
  item: ItemTable
  library: {
    id: number
    kind: LibraryKind
    owner_id: number | null
    group_id: number | null
    quota: Generated<number>
    file_limit: Generated<number>
  }
  library_manager: { library_id: number; account_id: number }
  blob: { id: Identity; sha256: Buffer; size: number; key: string; created_at: number }
  version: {
    item_id: number
    number: number
    blob_id: number
    size: number
    created_by: number
    created_at: number
    comment: Generated<string>
  }
  entry: {
    id: Identity
    item_id: number
    subject_type: 'user' | 'group' | 'role'
    subject_id: number
    rights: number
    kind: 'independent' | 'application'
    expires_at: number | null
    created_by: number
    created_at: number
  }
  event: {
    id: Identity
    position: number | null
    kind: string
    library_id: number | null
    item_id: number | null
    payload: Jsonb<object>
    actor_id: number | null
    created_at: number
  }
  personal_push: {
    account_id: number
    position: number
    push_type: number
    payload: Jsonb<object>
    created_at: number
  }
  audit: {
    id: Identity
    at: number
    account_id: number | null
    call: string
    address: string
    items: number[]
    detail: Jsonb<object>
  }
  search_queue: { item_id: number }
  search_item: {
    item_id: number
    number: number
    library_id: number
    parent_id: number | null
    modified_at: number
    text: string
    signs: number[]
  }
  tally: {
    id: Identity
    library_id: number
    account_id: number
    folder_id: number | null
    bytes: number
    children: number
  }
  usage_total: { library_id: number; account_id: number; bytes: number }
  child_total: { folder_id: number; children: number }
  library_total: { library_id: number; bytes: number }
  upload: {
    id: string
    account_id: number
    folder_id: number
    name: string
    size: number
    part_size: number
    sha256: Buffer | null
    conflict: 'refuse' | 'version' | 'keepBoth' | 'skip'
    secret_level: Generated<number>
    secret_until: number | null
    metadata: string | null
    nonce: Buffer | null
    expires_at: number
    ended_at: number | null
    file_id: number | null
    version: number | null
  }
  upload_part: {
    upload_id: string
    number: number
    start: number
    claim: string
    beside: Generated<boolean>
    tag: string | null
    size: number | null
    sha256: Buffer | null
  }
  folder_order: { folder_id: number; sort: 'name' | 'time' | 'size' | 'type'; descending: boolean }
  linked_server: { id: number; name: string; api_host: string; key: string }
  dropped_object: { key: string; dropped_at: number }
  walk: { name: string; value: Jsonb<object> }
  invalidated: { transaction: string; kind: number; id: number }
  blob_problem: { blob_id: number; kind: Damage; found_at: number; seen_at: number }
}
