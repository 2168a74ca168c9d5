// The tables of workflow templates.
import type { TemplateBody } from '@cloudoc/contract'
import type { Generated } from 'kysely'
import type { Jsonb } from '../../core/db/schema.ts'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    workflow_template: {
      id: Identity
      name: string
      note: Generated<string>
      version: Generated<number>
      enabled: Generated<boolean>
      created_by: number
      updated_by: number
      updated_at: number
      deleted_at: Generated<number | null>
    }
    workflow_version: {
      template_id: number
      number: number
      name: string
      body: Jsonb<TemplateBody>
      published_by: number
      published_at: number
    }
    workflow_draft: {
      template_id: number
      account_id: number
      base_version: number
      name: string
      note: string
      body: Jsonb<TemplateBody>
      saved_at: number
    }
  }
}

export const templateTables = {
  workflow_template: {
    backup: 'kept',
    accounts: { created_by: 'stays', updated_by: 'stays' },
    refusals: { workflow_template_name: 'alreadyExists' },
  },
  workflow_version: { backup: 'kept', accounts: { published_by: 'stays' } },
  workflow_draft: { backup: 'kept', accounts: { account_id: 'ends' } },
} as const satisfies Tables
