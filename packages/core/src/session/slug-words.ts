// 64 of each, so that every word is as likely as any other to be drawn with one byte.

/** The first words of slugs. */
export const adjectives: readonly string[] = words(`
  agile amber ample azure balmy bold breezy brisk chalky civil copper coral cozy curious dapper deft
  dewy downy early earnest fabled fair fleet fond frank fresh frosty glad golden grand hardy hazy
  hearty honest humble ivory jolly keen kindly leafy lively lofty loyal lucid lunar maple mellow merry
  mild minty misty modest neat noble novel oaken olive patient plucky polite quaint rosy rustic sunny
`)

/** The second words of slugs. */
export const nouns: readonly string[] = words(`
  acorn anchor apron arbor atlas badge bakery balcony basket beacon birch bramble bridge brook cabin candle
  canyon carafe cedar chapel cider clover cobble compass cottage cradle cricket dahlia delta dune easel ember
  fable feather fern fiddle garnet gazebo ginger glacier hamlet hazel heron jasper kettle lagoon lantern ledger
  lilac locket marble marsh nutmeg orchard otter paddle pebble quill raven saddle thicket thimble walnut willow
`)

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
