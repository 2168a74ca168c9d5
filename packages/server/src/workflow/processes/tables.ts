// The tables of processes.
import type { ProcessStateName } from '@cloudoc/contract'
import type { EntryWhat, FormValues, ProcessState, TaskMode } from '@cloudoc/domain'
import type { ColumnType, Generated } from 'kysely'
import type { Jsonb } from '../../core/db/schema.ts'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    process: {
      id: Identity
      template_id: number
      template_version: Generated<number>
      launcher_id: number
      title: string
      search_text: string
      form: Jsonb<FormValues>
      comments: string
      chosen: Jsonb<Record<string, number[]>>
      folder_id: Generated<number>
      item_id: number | null
      item_name: Generated<string>
      item_version: Generated<number>
      status: Generated<ProcessStateName>
      state: Jsonb<ProcessState>
      node_names: Generated<string>
      archiving: Generated<boolean>
      archived: ColumnType<number[], string | undefined, string>
      created_at: number
      launched_at: Generated<number | null>
      ended_at: Generated<number | null>
      reminded_at: Generated<number | null>
      due_at: Generated<number | null>
      calendar: Generated<string | null>
      people: ColumnType<string[], number[] | undefined, number[]>
    }
    process_task: {
      process_id: number
      task_id: number
      account_id: number
      rev: number
      node: string
      mode: TaskMode
      arrived_at: number
      due_at: number | null
      barred: ColumnType<string[], number[], number[]>
    }
    process_stand_in: {
      process_id: number
      account_id: number
    }
    process_player: {
      process_id: number
      account_id: number
      launched: Generated<boolean>
      handled: Generated<boolean>
      copied: Generated<boolean>
      status: ProcessStateName
      arrived_at: number
      ended_at: Generated<number | null>
    }
    removed_process: {
      process_id: number
      item_id: number
      removed_at: number
      keep_days: number
    }
    process_entry: {
      id: Identity
      process_id: number
      at: number
      what: EntryWhat
      node: string
      account_id: number | null
      by_id: number | null
      to_ids: ColumnType<number[], string | undefined, string>
      comments: Generated<string>
      detail: Generated<string>
      version: Generated<number>
    }
  }
}

export const processTables = {
  process: {
    backup: 'kept',
    accounts: { launcher_id: 'stays' },
    refusals: { process_item: 'alreadyInProcess' },
  },
  process_task: { backup: 'kept', accounts: { account_id: 'stays' } },
  process_stand_in: { backup: 'kept', accounts: { account_id: 'stays' } },
  process_player: { backup: 'kept', accounts: { account_id: 'stays' } },
  removed_process: { backup: 'kept' },
  process_entry: { backup: 'kept', accounts: { account_id: 'stays', by_id: 'stays' } },
} as const satisfies Tables
