// What a webhook can be told of, and how its deliveries stand.

/** Groups of changes that a webhook can ask for. `notices`: what its owner is notified of. */
export const webhookTopics = ['items', 'notices', 'comments', 'tags', 'locks', 'signing', 'talk'] as const
export type WebhookTopic = (typeof webhookTopics)[number]

/** `paused`: by an administrator; what happens meanwhile waits. */
export const webhookStates = ['active', 'paused'] as const

/** `dead`: given up after the last attempt; an administrator can send it again. */
export const deliveryStates = ['waiting', 'delivered', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]
