// The form of a link: its fields, what of them the creator's policy permits, and what is sent.
import type { ExternalLink } from '@cloudoc/contract'
import { type LinkRight, linkAddress, linkPassword, linkRights, maxLinkMails, withNeededRights } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { Subject } from '../../people/index.ts'
import { addressesIn, isMailAddress, type OfItem, policyFor } from './link-queries.ts'

export const dayMs = 24 * 60 * 60_000
const letters = 'ABCDEFGHJKMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789'
const linkFields = 'linkChoices'

/** Four letters and digits that cannot be confused with each other. */
export function newPassword(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((n) => letters[n % letters.length]).join('')
}

/** What the user chose for the last link, for the next one. */
interface Choices {
  readonly rights: number
  readonly days: number
  readonly withPassword: boolean
}
const usual: Choices = { rights: linkRights.preview | linkRights.download, days: 7, withPassword: true }
function rememberedChoices(): Choices {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(linkFields) ?? 'null')
    return typeof found === 'object' && found !== null ? { ...usual, ...(found as Partial<Choices>) } : usual
  } catch {
    return usual
  }
}

export interface Form {
  readonly named: boolean
  readonly people: readonly Subject[]
  /** As typed. */
  readonly mails: string
  readonly rights: number
  readonly password: string
  readonly start: number
  readonly end: number
  readonly visitLimit: number
  readonly downloadLimit: number
  readonly note: string
  readonly greeting: string
  readonly notify: boolean
  readonly address: string
  /** Shown to the approvers of links. */
  readonly comments: string
  readonly watermark: boolean
  readonly watermarkTemplateId: number
}

const blankForm: Form = {
  ...{ named: false, people: [], mails: '', rights: 0, password: '', start: 0, end: 0 },
  ...{ visitLimit: 0, downloadLimit: 0, note: '', greeting: '', notify: false, address: '', comments: '' },
  ...{ watermark: false, watermarkTemplateId: 0 },
}

/** The form of a new link, as the last one was made. */
function newForm(isFolder: boolean, first: Choices, proposed: string): Form {
  const rights = (isFolder ? first.rights : first.rights & ~linkRights.upload) & ~linkRights.edit
  return {
    ...blankForm,
    rights: rights || linkRights.preview,
    password: first.withPassword ? proposed : '',
    end: Date.now() + first.days * dayMs,
  }
}

/** The form of an existing link. */
function formOf(link: ExternalLink): Form {
  const { isNamed, people, mails, rights, password, startTime, endTime, visitLimit, downloadLimit } = link
  const { note, greeting, notify, watermark, watermarkTemplateId } = link
  return {
    ...blankForm,
    ...{ rights, password, visitLimit, downloadLimit, note, greeting, notify, watermark, watermarkTemplateId },
    ...{ named: isNamed, mails: mails.join('\n'), start: startTime, end: endTime },
    people: people.map(({ userId, accountName }) => ({ type: 'user', id: userId, name: accountName })),
  }
}

/** The permissions after one of them was clicked: with those that it needs, or without those that need it. */
function toggled(rights: number, right: number): number {
  if ((rights & right) === 0) return withNeededRights(rights | right)
  const { preview, download, edit } = linkRights
  const needing = right === preview ? preview | download | edit : right === download ? download | edit : right
  return rights & ~needing
}

/** The state of the form with what the policy makes of it. */
export function useLinkForm(item: OfItem, link: ExternalLink | undefined, onChange: () => void) {
  const t = useT()
  const [first] = useState(rememberedChoices)
  const [proposed] = useState(newPassword)
  const [now] = useState(Date.now)
  const isFolder = item.fType === 2
  const [form, setForm] = useState<Form>(() => (link === undefined ? newForm(isFolder, first, proposed) : formOf(link)))
  const { data: said, error } = useQuery({ ...policyFor(item), enabled: item.fId !== 0 })
  // An existing link is subject to its creator's policy.
  const policy = link === undefined ? said : undefined
  const mayNameMails = said?.mayNameMails === true || (link !== undefined && link.mails.length > 0)
  const mails = addressesIn(form.mails)
  const may = policy?.mayDownload === false ? form.rights & ~(linkRights.download | linkRights.edit) : form.rights
  const latest = policy === undefined || policy.longestDays === 0 ? Infinity : now + policy.longestDays * dayMs
  // A duration above the policy's maximum is shortened, and the field shows it.
  const end = Math.min(form.end, latest)
  const needsApproval = policy?.needsApproval === true
  const set = (change: Partial<Form>): void => {
    setForm({ ...form, ...change })
    onChange()
  }
  const wrongRecipients = (): string | undefined => {
    if (!form.named) return undefined
    if (form.people.length === 0 && mails.length === 0)
      return t(mayNameMails ? 'links.wrong.peopleOrMails' : 'links.wrong.people')
    if (mails.length > maxLinkMails) return t('links.wrong.manyMails', { n: maxLinkMails })
    return mails.every((one) => isMailAddress.test(one)) ? undefined : t('links.mail.wrong')
  }
  const againstPolicy = (): string | undefined => {
    if (policy?.mayCreate === false) return t('links.policy.none')
    if (policy?.needsPassword === true && form.password === '' && !form.named) return t('links.policy.password')
    return needsApproval && policy?.reviewers.length === 0 ? t('links.policy.nobody') : undefined
  }
  const problemOf = (): string | undefined => {
    if (!linkPassword.test(form.password)) return t('links.wrong.password')
    if (may === 0) return t('links.wrong.rights')
    if (Number.isNaN(end) || end <= now) return t('links.wrong.end')
    if (form.start > end) return t('links.wrong.order')
    const recipients = wrongRecipients()
    if (recipients !== undefined) return recipients
    if (form.address !== '' && !linkAddress.test(form.address)) return t('links.wrong.address')
    return againstPolicy() ?? error?.message
  }
  return {
    ...{ form, set, mails, mayNameMails, may, end, latest, now, isFolder, needsApproval },
    isNew: link === undefined,
    reviewers: (policy?.reviewers ?? []).map(({ accountName }) => accountName),
    problem: problemOf(),
    toggle: (right: number): void => set({ rights: toggled(form.rights, right) }),
    /** Permissions this link cannot grant, unless it already does. */
    isOut: (name: LinkRight): boolean => {
      if (name === 'upload') return !isFolder
      if (name === 'edit') return said?.mayGiveEdit !== true && (may & linkRights.edit) === 0
      return name === 'download' && policy?.mayDownload === false
    },
    // Named recipients prove their identity, so an additional password is optional and not proposed.
    setNamed: (named: boolean): void => {
      if (link !== undefined) return set({ named })
      if (named) return set({ named, ...(form.password === proposed && { password: '' }) })
      set({ named, ...(form.password === '' && first.withPassword && { password: proposed }) })
    },
    /** The settings as they are sent, for a new link and for a change. */
    settings: {
      rights: may,
      password: form.password,
      endTime: end,
      visitLimit: form.visitLimit,
      downloadLimit: form.downloadLimit,
      userIdArray: form.named ? form.people.map(({ id }) => id) : [],
      mailArray: form.named ? mails : [],
      note: form.note,
      greeting: form.greeting,
      notify: form.notify,
      watermark: form.watermark,
      watermarkTemplateId: form.watermarkTemplateId,
    },
    /** Keeps the choices for the next link. */
    remember: (): void => {
      const choices: Choices = {
        rights: form.rights,
        days: Math.max(1, Math.round((end - Date.now()) / dayMs)),
        withPassword: form.named ? first.withPassword : form.password !== '',
      }
      localStorage.setItem(linkFields, JSON.stringify(choices))
    },
  }
}
export type LinkForm = ReturnType<typeof useLinkForm>
