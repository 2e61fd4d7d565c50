// How large the images of a message and of a session may be, so that every later request stays valid.

/**
 * What is taken. The service refuses a request with an image above 5 MB or 8,000 pixels a side, and of more than 20
 * images above 2,000; a request above 32 MB it does not read at all. A larger image than 1,568 pixels it scales down.
 */
export const imageLimits = {
  /** Characters of base64, of one image and of all that a session sends again and again. */
  data: 1_500_000,
  sessionData: 20_000_000,
  sessionCount: 100,
  perMessage: 10,
  /** Pixels of the longer side: what is scaled down to, and what is taken. */
  bestSide: 1_568,
  longestSide: 2_000,
  /** Characters of a preview's data URL. */
  preview: 28_000,
} as const;
