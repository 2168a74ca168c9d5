// Unsaved changes of the capability matrix.
import type { Answer, calls } from '@cloudoc/contract'
import { type Capability, capabilityNeeds } from '@cloudoc/domain'

export type CapabilitiesAnswer = Answer<typeof calls.getCapabilities>
export type RoleAnswer = CapabilitiesAnswer['roles'][number]

/** Single ticks by `role capability`; whether a role is for external users by `role external`. */
export type Drafts = Readonly<Record<string, boolean>>

const keyOf = (roleId: number, what: Capability | 'external'): string => `${roleId} ${what}`

/** Role 0 means everybody. */
function saved(told: CapabilitiesAnswer, roleId: number, what: Capability | 'external'): boolean {
  const role = told.roles.find((one) => one.roleId === roleId)
  if (what === 'external') return role?.external ?? false
  return (roleId === 0 ? told.everybody : (role?.capabilities ?? [])).includes(what)
}

/** The value with drafts applied. */
export function isAllowed(
  told: CapabilitiesAnswer,
  drafts: Drafts,
  roleId: number,
  what: Capability | 'external',
): boolean {
  return drafts[keyOf(roleId, what)] ?? saved(told, roleId, what)
}

export function isDraft(drafts: Drafts, roleId: number, what: Capability | 'external'): boolean {
  return keyOf(roleId, what) in drafts
}

/** The drafts with one more change. A value equal to the saved one is removed. */
export function withDraft(
  told: CapabilitiesAnswer,
  drafts: Drafts,
  roleId: number,
  what: Capability | 'external',
  value: boolean,
): Drafts {
  const { [keyOf(roleId, what)]: _, ...rest } = drafts
  return value === saved(told, roleId, what) ? rest : { ...rest, [keyOf(roleId, what)]: value }
}

/**
 * Whether the holders of a role have a capability, from the role or from everybody, including the capabilities it
 * depends on.
 */
export function isEffective(told: CapabilitiesAnswer, drafts: Drafts, roleId: number, name: Capability): boolean {
  const external = roleId !== 0 && isAllowed(told, drafts, roleId, 'external')
  const own = isAllowed(told, drafts, roleId, name) || (!external && isAllowed(told, drafts, 0, name))
  const needed = capabilityNeeds(name)
  return own && (needed === undefined || isEffective(told, drafts, roleId, needed))
}

export interface Changes {
  readonly changes: { readonly roleId: number; readonly capability: Capability; readonly allowed: boolean }[]
  readonly external: { readonly roleId: number; readonly external: boolean }[]
}

/** The drafts in the form the call takes. */
export function changesOf(drafts: Drafts): Changes {
  const all = Object.entries(drafts).map(([key, value]) => {
    const [roleId, what = ''] = key.split(' ')
    return { roleId: Number(roleId), what, value }
  })
  return {
    changes: all
      .filter(({ what }) => what !== 'external')
      .map(({ roleId, what, value }) => ({ roleId, capability: what as Capability, allowed: value })),
    external: all.filter(({ what }) => what === 'external').map(({ roleId, value }) => ({ roleId, external: value })),
  }
}
