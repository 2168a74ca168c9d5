/*
 * Switches of whole features. A feature names its switch in its contract; every call of a feature that is switched off
 * is refused before its input is looked at, whoever makes it. Its pushes are kept back by the channel, and its protocols
 * ask for themselves. Background work goes on, so that nothing is lost meanwhile.
 */
import { type ContractFeature, type FeatureSwitch, featureSwitches, features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { accountOf } from '../../core/actor.ts'
import type { Admission } from '../../core/call/admission.ts'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { changeSettings, createSettings } from '../../core/settings.ts'

const all: readonly ContractFeature[] = Object.values(features)

/** The switch of each call that has one. */
const switchOf: ReadonlyMap<string, FeatureSwitch> = new Map(
  all.flatMap(({ calls = {}, switchedBy }) =>
    switchedBy === undefined ? [] : Object.keys(calls).map((name) => [name, switchedBy] as const),
  ),
)

/** Refuses the calls of features that are switched off. */
export const switchAdmission =
  ({ settings }: Pick<Services, 'settings'>): Admission =>
  ({ operation, actor }) => {
    const needed = switchOf.get(operation.name)
    if (needed === undefined) return undefined
    const refuse = (off: readonly FeatureSwitch[]): void => {
      if (off.includes(needed)) fail('featureOff')
    }
    if (actor !== undefined) return refuse(accountOf(actor).settings.features_off)
    return settings.current().then(({ features_off: off }) => refuse(off))
  }

/** The handlers of the page of features. */
export function switchHandlers() {
  return implement(features.switches.calls, {
    async getFeatures(context) {
      const { features_off: off } = actorOf(context).settings
      const { rows } = await sql<{ feature: FeatureSwitch; at: number; by: string }>`
        select distinct on (c.feature) c.feature, c.at, coalesce(a.name, '') as by
        from (
          select s.at, s.account_id, f.feature from setting_change s cross join unnest(${[...featureSwitches]}::text[]) f (feature)
          where s.name = 'features_off' and (s.before ? f.feature) <> (s.after ? f.feature)) c
        left join account a on a.id = c.account_id
        order by c.feature, c.at desc`.execute(context.db)
      return {
        list: featureSwitches.map((feature) => {
          const changed = rows.find((row) => row.feature === feature)
          return {
            feature,
            isOn: !off.includes(feature),
            changed: changed === undefined ? null : { at: changed.at, by: changed.by },
          }
        }),
      }
    },

    async setFeature(context, { feature, isOn }) {
      const actor = actorOf(context)
      const { tx } = context
      // Read under the lock of the settings: two administrators may switch at once.
      await tx.selectFrom('stamp').select('value').where('name', '=', 'settings').forUpdate().execute()
      const { features_off: off } = await createSettings(tx).current()
      const after = featureSwitches.filter((one) => (one === feature ? !isOn : off.includes(one)))
      await changeSettings({ ...context, actor }, { features_off: after })
      context.audit({ feature, isOn })
      return {}
    },
  })
}
