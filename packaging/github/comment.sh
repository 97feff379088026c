#!/usr/bin/env bash
# One comment on the pull request, found again by its first line and kept up to date.
set -euo pipefail

marker='<!-- headroom -->'
case ${HEADROOM_CATEGORY:-headroom} in
headroom) ;;
*[!A-Za-z0-9._/\ -]* | *--*)
	echo "::error title=headroom::category has signs other than letters, digits, blanks, dots, slashes and dashes"
	exit 2
	;;
*) marker="<!-- headroom: $HEADROOM_CATEGORY -->" ;;
esac

body=$RUNNER_TEMP/headroom/comment.md
{
	printf '%s\n' "$marker"
	# What is compared with a commit begins with a marker of its own.
	sed '1{/^<!-- headroom -->$/d;}' "$HEADROOM_MARKDOWN"
} >"$body"

# gone says why there is no comment, and lets the job go on: the token of a fork's pull request cannot write.
rights="It needs permissions: {pull-requests: write}, which a pull request from a fork does not get; "
gone() {
	echo "::warning title=headroom wrote no comment::$1. ${rights}the findings are in the summary."
	exit 0
}
command -v gh >/dev/null || rights='' gone "This runner has no gh, GitHub's own program"

# Without a host gh asks github.com, and would give it a token of GitHub Enterprise Server.
server=${GITHUB_SERVER_URL:-https://github.com}
export GH_HOST="${server#*://}" GH_ENTERPRISE_TOKEN="$GH_TOKEN"

# Only a comment of our own is written over: anyone can begin one with the same line.
# shellcheck disable=SC2016 # the dollars are GraphQL's
query='query($owner: String!, $name: String!, $number: Int!, $endCursor: String) {
	repository(owner: $owner, name: $name) { pullRequest(number: $number) {
		comments(first: 100, after: $endCursor) {
			pageInfo { hasNextPage endCursor }
			nodes { databaseId body viewerDidAuthor }
		}
	} }
}'
ids=$(HEADROOM_MARKER=$marker gh api graphql --paginate -f query="$query" \
	-f owner="${GITHUB_REPOSITORY%%/*}" -f name="${GITHUB_REPOSITORY#*/}" -F number="$HEADROOM_PULL_REQUEST" \
	--jq '.data.repository.pullRequest.comments.nodes[]
		| select(.viewerDidAuthor and (.body | startswith(env.HEADROOM_MARKER))) | .databaseId') ||
	gone "The comments of the pull request cannot be read"
id=${ids%%$'\n'*}

if [ -n "$id" ]; then
	gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$body" ||
		gone "Comment $id cannot be changed"
	echo "headroom: comment $id is up to date"
elif [ "$HEADROOM_FOUND" = true ]; then
	gh api --silent --method POST "repos/$GITHUB_REPOSITORY/issues/$HEADROOM_PULL_REQUEST/comments" -F "body=@$body" ||
		gone "The pull request takes no comment"
	echo "headroom: a comment was written"
else
	echo "headroom: nothing found, so no comment"
fi
