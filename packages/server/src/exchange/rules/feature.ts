// Feature: rules, networks and keys of the exchange across networks.
import { features } from '@cloudoc/contract'
import { approverSources } from '../../approvals/review/index.ts'
import type { FeatureEvent } from '../../core/events.ts'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import type { Audience } from '../../core/push/index.ts'
import { exchangeApprovers } from './approvers.ts'
import { exchangeRuleHandlers, rulesChanged } from './index.ts'
import { exchangeRuleTables } from './tables.ts'

/** All signed-in users read the rules again, each those that concern them. */
const everybody: Audience<FeatureEvent> = {
  async prepare(db, events) {
    const company = await db.selectFrom('org_group').select('id').where('parent_id', 'is', null).execute()
    const none: ReadonlySet<number> = new Set()
    const concerns = { accountIds: none, groupIds: new Set(company.map(({ id }) => id)), roleIds: none }
    const viewFor = () => ({ name: 'exchangeRulesChanged', payload: {} }) as const
    return new Map(events.map(({ position }) => [position, { concerns, perAccount: false, viewFor }]))
  },
}

export const exchangeRules = feature({
  wire: features.exchangeRules,
  tables: exchangeRuleTables,
  open: (services) => ({
    handlers: exchangeRuleHandlers(services),
    contributions: [contribute(approverSources, exchangeApprovers)],
    audiences: { [rulesChanged.kind]: everybody },
  }),
})
