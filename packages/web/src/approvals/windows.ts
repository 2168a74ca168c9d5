// The windows of approvals.
import { win } from '../core/windows/index.ts'
import type { ApplyProps } from './authorization/apply.tsx'
import type { ReviewProps } from './authorization/review.tsx'

export const approvalWindows = {
  'cloudoc-authorization-apply': win<ApplyProps, { readonly authorizationId: number }>({
    title: 'approvals.apply.title',
    size: { width: 680, height: 500 },
    minSize: { width: 680, height: 500 },
    load: () => import('./authorization/apply.tsx').then((module) => module.Apply),
    sample: { item: { fId: 1, fType: 1, fName: '供应商名录.xlsx' } },
  }),
  'cloudoc-authorization-review': win<ReviewProps, boolean>({
    title: 'approvals.review.title',
    size: { width: 680, height: 550 },
    load: () => import('./authorization/review.tsx').then((module) => module.ReviewWindow),
    sample: { authorizationId: 1 },
  }),
}
