// The common fields of pushes ([R341]) in those about requests.
import { z } from 'zod'

/**
 * The item once more by its type, and the operation that is asked for. `parentId` is 0: who decides need not see the folder.
 * Pushes that were stored before these fields came lack them.
 */
export const requestItemFields = {
  fileId: z.int().optional(),
  folderId: z.int().optional(),
  parentId: z.int().optional(),
  operate: z.int().optional(),
}
