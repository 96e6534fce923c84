// What the figures over time say of the run that they show.

// Of policies side by side; `where`: " with 20 workers".
export function wordsFor(policies, where) {
  const several = policies.length > 1;
  return {
    run: `in one run${where}`,
    sameWork: several ? " The work is the same for every policy; only when it is done differs." : "",
    moment: several ? `The same moment${where}, when most tasks were there, under every policy: choose another one to compare.` : `The moment${where} when most tasks were there.`,
    choose: "Under",
  };
}
