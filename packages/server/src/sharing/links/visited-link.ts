// The information about a link for its visitors, before and after they enter ([R225], [R228]).
import { denial, gates, linkRights } from '@cloudoc/domain'
import type { Services } from '../../core/services.ts'
import { type LinkRow, type ResolvedLink, refusalOf } from './link-state.ts'
import { isForStill, type Pass } from './visitor.ts'

/** It collects files, and shows each visitor only their own. */
export const isCollecting = ({ rights }: LinkRow): boolean => rights === linkRights.upload
/** A visitor who leaves content has to give their name. */
export const asksName = (link: LinkRow): boolean => isCollecting(link) || (link.rights & linkRights.edit) !== 0

/** The state of a link for a visitor with that pass. */
export async function describeLink(settings: Services['settings'], met: ResolvedLink, pass: Pass | undefined) {
  const { link } = met
  const code = refusalOf(met.reason, false)
  const inside =
    pass?.linkId === link.id &&
    pass.version === link.pass_version &&
    isForStill(link, pass) &&
    refusalOf(met.reason, true) === undefined
  const state =
    met.reason === 'notYet'
      ? ('notYet' as const)
      : met.reason === 'ended'
        ? ('expired' as const)
        : met.reason === 'visits' && !inside
          ? ('usedUp' as const)
          : met.reason === 'approval' || met.reason === 'unasked'
            ? ('approval' as const)
            : code === undefined || inside
              ? ('open' as const)
              : ('gone' as const)
  const isGone = state === 'gone'
  // If nothing is required, all visitors can enter. What they will see is included, so that the page can preload it.
  const asksNothing = state === 'open' && link.password === null && !link.is_named && !asksName(link)
  const { company_name: company } = await settings.current()
  const row = inside ? met.access?.row : undefined
  return {
    state,
    inside,
    company,
    creatorName: isGone || state === 'approval' ? '' : link.creator,
    fType: isGone ? (1 as const) : link.f_type,
    startTime: isGone ? 0 : link.starts_at,
    endTime: isGone ? 0 : link.ends_at,
    needsPassword: !isGone && link.password !== null,
    needsAccount: !isGone && link.people.length > 0,
    needsMail: !isGone && link.mails.length > 0,
    needsName: !isGone && asksName(link),
    collects: !isGone && isCollecting(link),
    fId: row?.id ?? 0,
    fName: row?.name ?? '',
    fileSize: row?.size ?? 0,
    extName: row?.ext ?? (asksNothing ? link.ext : ''),
    modifyTime: row?.modified_at ?? 0,
    version: row?.version ?? 0,
    mayEdit:
      inside &&
      (link.rights & linkRights.edit) !== 0 &&
      met.access !== undefined &&
      denial(gates.newVersion, met.access.facts) === undefined,
    mayPrint:
      inside &&
      (link.rights & linkRights.download) !== 0 &&
      met.access !== undefined &&
      denial(gates.printItem, met.access.facts) === undefined,
    note: inside && isCollecting(link) ? link.greeting : '',
    rights: inside ? link.rights : 0,
    downloadsLeft: inside && link.download_limit > 0 ? Math.max(0, link.download_limit - link.downloads) : null,
    visitor: inside ? (pass?.name ?? '') : '',
  }
}
