// Editing of tags: the user's own tags, and the company tags for administrators.
import type { Tag } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { forgetTags } from '../../items/labels/item-tags.ts'

export type CountedTag = Tag & { readonly count: number }

/** Runs a change of tags. Returns false if it was refused; the refusal is shown to the user. */
export async function tryTagChange(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    forgetTags()
    return true
  } catch (error) {
    notifyFailure(error)
    return false
  }
}

/** Whether the user may manage the company tags. */
export const useMayEditCompanyTags = (): boolean => useSession().permission.powers.includes('system')

/** Renames a tag or changes its colour. */
export const changeTag = (tag: Tag, to: Partial<Pick<Tag, 'tagName' | 'colour'>>): Promise<boolean> =>
  tryTagChange(() => {
    const { tagId, tagName, colour } = { ...tag, ...to }
    return tag.company ? api.saveCompanyTag({ tagId, tagName, colour }) : api.saveTag({ tagId, tagName, colour })
  })

/** Deletes a tag after confirmation. */
export async function removeTag(tag: CountedTag): Promise<boolean> {
  const text = t(tag.company ? 'tags.deleteCompany' : 'tags.deleteAsk', { name: tag.tagName, n: tag.count })
  if (!(await confirmBox({ text, ok: t('tags.delete'), danger: true }))) return false
  return tryTagChange(() =>
    tag.company ? api.deleteCompanyTag({ tagId: tag.tagId }) : api.tagDelMyList({ tagNames: [tag.tagName] }),
  )
}
