// Versions of files as reviews show them: whoever is asked to decide may look at what they decide about, and at nothing
// else of the file or its folder ([R251]).
import { features, type PreviewedVersion } from '@cloudoc/contract'
import { denial, type Facts, gates, Right, rights } from '@cloudoc/domain'
import type { Access, ObjectAccess } from '../../core/access.ts'
import type { Objects } from '../../core/loaders.ts'
import { accessToMany } from '../../drive/tree/index.ts'
import type { FindApplicant } from '../../drive/watermarks/index.ts'

/** A version of a file in a review, with the reader's access to the file. */
export interface ReviewedVersion extends ObjectAccess<Facts> {
  readonly access: Access
  readonly itemId: number
}

/** What a reader has who may only look at the version for which a review waits. */
export const factsInReview = (facts: Facts): Facts => ({
  ...{ ...facts, rights: rights(Right.display | Right.preview), downloadGranted: false },
  actor: { ...facts.actor, isManager: false, isOwner: false },
})

const readKey = (id: string): Required<PreviewedVersion> & { readonly fileId: number } => {
  const [reviewId = 0, fileId = 0, version = 0] = id.split('-').map(Number)
  return { reviewId, fileId, version }
}

/** Loads versions of files in reviews. */
export function reviewedVersions(now: () => number, find: FindApplicant): Objects<ReviewedVersion> {
  return {
    kind: features.preview.objects.reviewedVersion,
    async load(db, actor, ids) {
      const found = new Map<string | number, ReviewedVersion>()
      if (actor.kind !== 'account') return found
      const at = now()
      const asked = ids.map((id) => ({ id, ...readKey(String(id)) }))
      const all = await accessToMany(
        db,
        actor,
        asked.map(({ fileId }) => fileId),
        at,
      )
      for (const { id, reviewId, fileId, version } of asked) {
        const access = all.get(fileId)
        if (access === undefined || access.row.f_type !== 1) continue
        const isOwn = denial(gates.preview, access.facts) === undefined
        const applicant = isOwn
          ? undefined
          : await find(db, { ...{ reviewId: reviewId ?? 0, fileId, readerId: actor.accountId, now: at } })
        const facts = applicant?.opens === version ? factsInReview(access.facts) : access.facts
        found.set(id, { facts, access: { ...access, facts }, itemId: fileId })
      }
      return found
    },
    // Nothing of it changes.
    lock: () => Promise.resolve(),
  }
}
