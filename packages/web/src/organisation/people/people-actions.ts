// Actions on users, one or many at once.
import { api } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import type { MenuEntry } from '../../core/menu/menu.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import type { AdministrationScope } from '../shared/administration-scope.ts'
import { stateOf } from '../shared/form-parts.tsx'
import { changeAndUndo, changePeople, type PersonRow, refetchOrganisation } from '../shared/organisation-queries.ts'

type People = readonly PersonRow[]

const whom = (people: People): string =>
  people.length === 1 ? (people[0]?.accountName ?? '') : t('org.count', { n: people.length })

/** Moves users into a department. An undo restores their previous ones. */
export async function moveTo(people: People, group: { groupId: number; groupName: string }): Promise<void> {
  const those = people.filter(({ groupId }) => groupId !== group.groupId)
  if (those.length === 0) return
  const ask = t('org.move.ask', { name: whom(those), to: group.groupName })
  if (
    those.length > 1 &&
    !(await confirmBox({ title: t('org.move'), text: ask, detail: t('org.move.rights'), ok: t('org.move') }))
  )
    return
  await changeAndUndo(those, 'groupId', group.groupId, (n) => t('org.moved', { n, to: group.groupName }))
}

async function moveByChoice(people: People): Promise<void> {
  const group = await openWindow('organisation-pick-group', {
    title: t('org.move.title', { name: whom(people) }),
    ok: t('org.move'),
  })
  if (group !== undefined) await moveTo(people, group)
}

/** Freezes, restricts, locks or reactivates users. Can be undone. */
export async function setState(people: People, state: 'normal' | 'frozen' | 'restricted' | 'locked'): Promise<void> {
  const detail = t('org.state.ends')
  const sure =
    state === 'normal' ||
    (await confirmBox({
      text: t(`org.ask.${state}`, { who: whom(people) }),
      detail,
      ok: t(`org.do.${state}`),
      danger: true,
    }))
  if (sure) await changeAndUndo(people, 'state', state, (n) => t(`org.done.${state}`, { n }))
}

/** Disables accounts of former users. The account is retained for its history and does not count any more. */
export async function remove(people: People): Promise<void> {
  const sure = await confirmBox({
    text: t('org.ask.disabled', { who: whom(people) }),
    detail: t('org.ask.disabledMore'),
    ok: t('org.do.disabled'),
    danger: true,
  })
  if (sure) await changeAndUndo(people, 'state', 'disabled', (n) => t('org.done.disabled', { n }))
}

export const unlock = (people: readonly { userId: number }[]) =>
  changePeople(people, { unlock: true }, (n) => t('org.done.unlocked', { n }))

export async function endSessions(people: People): Promise<void> {
  const sure = await confirmBox({ text: t('org.ask.end', { who: whom(people) }), ok: t('org.do.end') })
  if (sure) await changePeople(people, { endSessions: true }, (n) => t('org.done.end', { n }))
}

/** Creates password codes for users, to be handed over by the administrator. */
export async function handOutLinks(people: readonly { userId: number; accountName: string }[]): Promise<void> {
  const sure =
    people.length === 1 ||
    (await confirmBox({
      text: t('org.links.ask', { n: people.length }),
      detail: t('org.links.askMore'),
      ok: t('org.links.make'),
    }))
  if (!sure) return
  const { list } = await api.createPasswordLinks({ userIds: people.map(({ userId }) => userId) })
  await openWindow('organisation-password-links', { list })
}

/** Sets the maximum number of accounts. */
export async function setLimit(limit: number, used: number): Promise<void> {
  const answer = await openWindow('organisation-limit', { limit, used })
  if (answer === undefined) return
  await api.setAccountLimit({ accountLimit: answer })
  void refetchOrganisation()
}

/** Opens the handover of a leaving user's data. */
export async function handOver(person: {
  userId: number
  accountName: string
  account: string
  groupId: number
  groupName: string
}): Promise<void> {
  const { userId, accountName, account, groupId, groupName } = person
  await openWindow('organisation-leaver', { userId, accountName, account, groupId, groupName })
}

interface MenuParts {
  readonly may: AdministrationScope
  readonly roles: readonly { readonly roleId: number; readonly roleName: string }[]
  readonly levels: readonly string[]
  readonly onOpen: (userId: number | undefined) => void
}

/** The menu entries for these users. */
export function menuOfPeople(people: People, { may, roles, levels, onOpen }: MenuParts): MenuEntry[] {
  const [one] = people
  const states = new Set(people.map(stateOf))
  const isAll = (state: PersonRow['state']): boolean => people.every((person) => person.state === state)
  return [
    { id: 'open', label: t('org.open'), hint: 'Enter', show: people.length === 1, run: () => onOpen(one?.userId) },
    { separator: true },
    { id: 'move', label: t('org.move.to'), show: may.people, run: () => void moveByChoice(people) },
    {
      id: 'level',
      show: may.whole,
      label: t('org.column.level'),
      children: levels.map((label, level) => ({
        id: `level-${level}`,
        label,
        checked: people.every(({ secretLevel }) => secretLevel === level),
        run: () => void changeAndUndo(people, 'secretLevel', level, (n) => t('org.done.level', { n, level: label })),
      })),
    },
    {
      id: 'addRole',
      show: may.whole,
      label: t('org.role.add'),
      children: roles.map(({ roleId, roleName }) => ({
        id: `add-${roleId}`,
        label: roleName,
        run: () =>
          void changePeople(
            people,
            { addRoleId: roleId },
            (n) => t('org.done.role', { n, role: roleName }),
            () =>
              api.changePeople({
                userIds: people.filter((p) => !p.roles.includes(roleName)).map((p) => p.userId),
                removeRoleId: roleId,
              }),
          ),
      })),
    },
    {
      id: 'removeRole',
      show: may.whole,
      label: t('org.role.remove'),
      children: roles
        .filter(({ roleName }) => people.some((person) => person.roles.includes(roleName)))
        .map(({ roleId, roleName }) => ({
          id: `remove-${roleId}`,
          label: roleName,
          run: () =>
            void changePeople(
              people,
              { removeRoleId: roleId },
              (n) => t('org.done.noRole', { n, role: roleName }),
              () =>
                api.changePeople({
                  userIds: people.filter((p) => p.roles.includes(roleName)).map((p) => p.userId),
                  addRoleId: roleId,
                }),
            ),
        })),
    },
    { separator: true },
    { id: 'links', label: t('org.links.make'), show: may.people, run: () => void handOutLinks(people) },
    { id: 'unlock', label: t('org.do.unlock'), show: may.people, run: () => void unlock(people) },
    { id: 'end', label: t('org.do.end'), show: may.people, run: () => void endSessions(people) },
    { separator: true },
    {
      id: 'normal',
      label: t('org.do.normal'),
      show: may.people && !isAll('normal'),
      run: () => void setState(people, 'normal'),
    },
    {
      id: 'restricted',
      label: t('org.do.restricted'),
      show: may.people && !states.has('restricted'),
      run: () => void setState(people, 'restricted'),
    },
    {
      id: 'frozen',
      label: t('org.do.frozen'),
      danger: true,
      show: may.people && !isAll('frozen'),
      run: () => void setState(people, 'frozen'),
    },
    {
      id: 'handOver',
      label: t('org.leaver'),
      danger: true,
      show: may.whole && people.length === 1 && !isAll('disabled'),
      run: () => void (one && handOver(one)),
    },
    {
      id: 'disabled',
      label: t('org.do.disabled'),
      danger: true,
      show: may.whole && !isAll('disabled'),
      run: () => void remove(people),
    },
  ]
}
