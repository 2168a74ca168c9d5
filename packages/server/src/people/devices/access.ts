// The rules on access, as the security administrator sets and tries them. Their evaluation is in people/auth.
import type { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import { changeSettings } from '../../core/settings.ts'
import { addressList, type Circumstances, decideAccess } from '../auth/index.ts'

type Names = 'getAccessRules' | 'setAccessRules' | 'tryAccess'

/** The handlers of the calls about access rules. */
export const accessHandlers: Pick<Handlers<typeof features.devices.calls>, Names> = {
  getAccessRules(context) {
    const { inner, setting } = actorOf(context).settings
    return Promise.resolve({ list: inner.access_rules, zone: setting.download_time_zone })
  },

  async setAccessRules(context, { list }) {
    const actor = actorOf(context)
    for (const { networks } of list) addressList(networks)
    // Whoever writes the rules must be able to mend them.
    const { settings } = actor
    const { action } = decideAccess(
      { ...settings, inner: { ...settings.inner, access_rules: list } },
      {
        ...{ address: context.address, now: context.now, clientType: actor.clientType, level: actor.secretLevel },
        isApprovedDevice: actor.device?.isApproved === true,
        isExempt: actor.isAdmin,
      },
    )
    if (action === 'refuse') return fail('accessRefused')
    if (action === 'readOnly') return fail('accessReadOnly')
    if (action === 'secondFactor' && actor.hasFactor !== true) return fail('secondFactorMissing')
    await changeSettings({ ...context, actor }, { access_rules: list })
    context.audit({ rules: list.length })
    return {}
  },

  async tryAccess(context, { userId, list, at, address, ...more }) {
    const { settings } = actorOf(context)
    const person = await context.db
      .selectFrom('account')
      .select(['secret_level', 'is_admin'])
      .where('id', '=', userId)
      .executeTakeFirst()
    if (person === undefined) return fail('notFound')
    addressList([address])
    for (const { networks } of list ?? []) addressList(networks)
    const where: Circumstances = {
      ...more,
      ...{ address, now: at ?? context.now, level: person.secret_level, isExempt: person.is_admin },
    }
    const rules = list ?? settings.inner.access_rules
    const { action, rule, passed } = decideAccess(
      { ...settings, inner: { ...settings.inner, access_rules: rules } },
      where,
    )
    return { action, rule, passed: [...passed], exempt: person.is_admin, level: person.secret_level }
  },
}
