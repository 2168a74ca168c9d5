// The tables as kysely sees them. migrations/ has their definitions and reasons.
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

export type Jsonb<T extends object> = JSONColumnType<T>
export type NullableJsonb<T extends object> = ColumnType<T | null, string | null | undefined, string | null>
export type Identity = Generated<number>

/** How a stored content differs from its row. */
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
  creator_outsider: NullableJsonb<Outsider>
  modified_by: number
  modified_at: number
  modifier_outsider: NullableJsonb<Outsider>
  disk_time: Generated<number | null>
  version: Generated<number>
  size: Generated<number>
  status: Generated<number>
  doc_flag: Generated<number>
  /** Who may still use the content, which is held back from everybody else; null if it is not. */
  held_for: NullableJsonb<number[]>
  /** Who still uses the content until it is inspected for viruses; 0: nobody; null: it is open. */
  uninspected_by: Generated<number | null>
  secret_level: Generated<number>
  secret_until: Generated<number | null>
  link_to: Generated<number | null>
  space_limit: Generated<number | null>
  editor_id: Generated<number | null>
  editor_session: Generated<number | null>
  /** The process that the file is or was in, and the version that its result is of. */
  process_id: Generated<number | null>
  process_version: Generated<number | null>
  /** The mail that the file comes from, of its creator ([R109]). */
  mail_id: Generated<number | null>
  editing_since: Generated<number | null>
  editor_until: Generated<number | null>
  inherit: Generated<boolean>
  restricted: Generated<boolean>
  own_rules: Generated<boolean>
  withholds: Generated<boolean>
  /** An application granted downloads of it. */
  granted: Generated<boolean>
  deleted_at: number | null
  deleted_by: number | null
  purged: Generated<boolean>
}

/**
 * The actual author, if a person without an account on this server did something. The name is recorded as it was at
 * that moment.
 */
export interface Outsider {
  readonly kind: 'visitor' | 'server' | 'signer'
  /** The id of the visitor's external link, of the linked server, or of the signer. */
  readonly reference: number
  readonly name: string
}

export type AccountState = 'normal' | 'locked' | 'frozen' | 'restricted' | 'disabled'
export type LibraryKind = 'company' | 'department' | 'personal' | 'project' | 'archive'

/** All tables: those of core in this file, those of a feature in its tables.ts, which merges into this interface. */
export interface Schema {
  setting: { code: string; value: ColumnType<unknown, string, string> }
  setting_change: {
    id: Identity
    name: string
    at: number
    account_id: number | null
    before: ColumnType<unknown, string, string>
    after: ColumnType<unknown, string, string>
  }
  secret: { name: string; value: string }
  stamp: { name: string; value: number }
  once: { kind: string; id_hash: Buffer; value: string; expires_at: number }
  audit: {
    id: Identity
    at: number
    account_id: number | null
    outsider: NullableJsonb<Outsider>
    call: string
    address: string
    items: number[]
    detail: Jsonb<object>
  }
  walk: { name: string; value: Jsonb<object> }
  invalidated: { transaction: string; kind: number; id: number }
}
